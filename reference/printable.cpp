// Replaces control bytes.
// Does not know where the text goes.
// See printable.hpp.
#include "reference/printable.hpp"

#include <algorithm>

namespace reference {

std::string printable(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return out;
}

}  // namespace reference

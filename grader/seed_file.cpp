// Reads a hidden seed.
// Says nothing of its value in a message: it is a secret of the user.
// See grade.hpp.
#include "grader/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace grader {

namespace {

constexpr std::size_t kDigits = 64;

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

Result<reference::Seed> read_seed(const std::filesystem::path& path) {
    const auto bad = [&](std::string_view what) {
        return tl::unexpected(
            Error{Error::Code::bad_input, fmt::format("hidden seed {}: {}", path.string(), what)});
    };
    std::ifstream file(path, std::ios::binary);
    std::ostringstream stream;
    if (!file.is_open() || !(stream << file.rdbuf())) return bad("cannot be read");
    std::string text = std::move(stream).str();
    constexpr std::string_view kSpace = " \t\r\n";
    text.erase(0, std::min(text.size(), text.find_first_not_of(kSpace)));
    text.erase(text.find_last_not_of(kSpace) + 1);
    if (text.size() != kDigits)
        return bad(fmt::format("has {} characters, must be 64 hexadecimal digits", text.size()));
    reference::Seed seed{};
    for (std::size_t i = 0; i < seed.size(); ++i) {
        const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return bad("must be 64 hexadecimal digits");
        seed[i] = static_cast<std::uint8_t>(16 * high + low);
    }
    return seed;
}

}  // namespace grader

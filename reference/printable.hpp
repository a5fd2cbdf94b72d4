// Names and texts that come from files, made fit for a line of a message or a table.
// Does not shorten, and does not look for broken UTF-8.
// Used wherever such a name is printed.
#pragma once

#include <string>
#include <string_view>

namespace reference {

/// Control bytes have become '?': a line stays one, and no terminal obeys a name.
std::string printable(std::string_view text);

}  // namespace reference

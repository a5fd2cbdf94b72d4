// SHA-256 as 64 hexadecimal digits.
// No other digest.
// Used for sources, hidden cases and seeds.
#pragma once

#include <string>
#include <string_view>

namespace grader {

std::string sha256_hex(std::string_view bytes);

}  // namespace grader

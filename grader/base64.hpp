// Base64 as RFC 4648 has it, with padding.
// No other alphabet; no white space.
// Used by protocol.cpp for bytes that came out of a jail.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grader {

std::string base64_encode(std::string_view bytes);
/// None for anything that base64_encode does not write.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace grader

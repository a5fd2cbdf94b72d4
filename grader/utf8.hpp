// UTF-8: which bytes are text.
// Does not decode to code points and knows no other encoding.
// Used by the JSON reader and writer and by the reader of submissions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace grader {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the well-formed sequence that starts at `at`; 0 if there is none (overlong forms,
/// surrogates and values above U+10FFFF are not well-formed).
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Offset of the first byte that is not UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// The text with U+FFFD for every byte that is not UTF-8; `replaced` is how many there were.
struct CleanText {
    std::string text;
    std::uint64_t replaced = 0;
};
CleanText replace_invalid_utf8(std::string_view text);

}  // namespace grader

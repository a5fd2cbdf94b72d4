// The tags that models put around their thinking.
// Does not know Markdown.
// Called by markdown.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace grader {

struct ReasoningTag {
    std::size_t begin = 0, end = 0;  // offsets within the text
    bool closes = false;
};

/// The first tag within [from, to). Case does not matter for tags in angle brackets.
std::optional<ReasoningTag> find_reasoning_tag(std::string_view text, std::size_t from,
                                               std::size_t to);

/// The first closing tag at or after `from`.
std::optional<ReasoningTag> find_closing_tag(std::string_view text, std::size_t from);

}  // namespace grader

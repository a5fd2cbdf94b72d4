// Table of reasoning tags, and a search that looks only where a tag can start.
// Does not know Markdown.
// See reasoning.hpp.
#include "grader/reasoning.hpp"

#include <algorithm>
#include <array>

namespace grader {

namespace {

struct Pair {
    std::string_view open, close;
};

constexpr std::array kPairs{
    Pair{"<think>", "</think>"},
    Pair{"<thinking>", "</thinking>"},
    Pair{"<thought>", "</thought>"},
    Pair{"<thoughts>", "</thoughts>"},
    Pair{"<reasoning>", "</reasoning>"},
    Pair{"<reflection>", "</reflection>"},
    Pair{"<scratchpad>", "</scratchpad>"},
    Pair{"<seed:think>", "</seed:think>"},
    Pair{"<|begin_of_thought|>", "<|end_of_thought|>"},
    Pair{"[THINK]", "[/THINK]"},
    Pair{"\u25C1think\u25B7", "\u25C1/think\u25B7"},
};

constexpr std::string_view kFirstBytes = "<[\xE2";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_at(std::string_view text, std::size_t at, std::string_view tag) {
    if (text.size() - at < tag.size()) return false;
    const std::string_view here = text.substr(at, tag.size());
    if (tag.front() != '<') return here == tag;
    return std::equal(here.begin(), here.end(), tag.begin(),
                      [](char a, char b) { return lower(a) == b; });
}

std::optional<ReasoningTag> tag_at(std::string_view text, std::size_t at) {
    for (const Pair& pair : kPairs) {
        if (is_at(text, at, pair.open)) return ReasoningTag{at, at + pair.open.size(), false};
        if (is_at(text, at, pair.close)) return ReasoningTag{at, at + pair.close.size(), true};
    }
    return std::nullopt;
}

}  // namespace

std::optional<ReasoningTag> find_reasoning_tag(std::string_view text, std::size_t from,
                                               std::size_t to) {
    const std::string_view part = text.substr(0, to);
    for (std::size_t at = part.find_first_of(kFirstBytes, from); at != std::string_view::npos;
         at = part.find_first_of(kFirstBytes, at + 1)) {
        if (const auto tag = tag_at(part, at)) return tag;
    }
    return std::nullopt;
}

std::optional<ReasoningTag> find_closing_tag(std::string_view text, std::size_t from) {
    for (auto tag = find_reasoning_tag(text, from, text.size()); tag;
         tag = find_reasoning_tag(text, tag->end, text.size())) {
        if (tag->closes) return tag;
    }
    return std::nullopt;
}

}  // namespace grader

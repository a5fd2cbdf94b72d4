// Finds the code in a reply: one linear scan, no rewriting of what is found.
// Does not judge the code.
// Called by the coordinator, once per submission.
#pragma once

#include "grader/language.hpp"
#include "grader/submission.hpp"
#include "grader/verdict.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct Source {
    Language language{};
    std::string bytes;
};

struct Extraction {
    std::optional<Source> source;  // none: CE with `reason`
    Reason reason = Reason::none;  // no_code, truncated, wrong_format
    std::string rule;              // which rule found what, for people: "last_defining_block", ...
    std::uint32_t candidates = 0;  // blocks that were eligible
    bool other_policies_differ = false;  // first / longest / last block would have read other bytes
    bool truncated = false;          // the reply ended early (flag), whether or not code was found
    std::vector<std::string> hints;  // what a person should look at: "html_entities", ...
};

/// Code of a reply, or what is missing. The rules are in docs/submissions.md, by example. `entry`
/// is the function to be defined ("predict"). The line's language, if given, narrows `languages`.
Extraction extract(const Submission& submission, std::span<const Language> languages,
                   std::string_view entry);

}  // namespace grader

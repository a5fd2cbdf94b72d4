// Compares the bytes of one answer with the expected numbers of its case. Pure; coordinator only.
// Does not decide about crashes or limits: that is verdict work of judge.cpp.
// Called once per case, by judge.cpp and by the trivial-answer floor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/expected.hpp"
#include "grader/verdict.hpp"

namespace grader {

struct Mismatch {
    std::string quantity;
    std::int64_t expected = 0;
    std::string actual;            // as written, cut to 80 bytes
    std::optional<double> error;   // signed relative error; none where it has no value
    std::string hint;              // "", "x2", "x1024", ...: suspicious ratios
};

struct CheckResult {
    Judgement judgement;               // AC, WA or PE
    Flags flags = 0;                   // tamper
    std::vector<Mismatch> mismatches;  // every one, sorted by quantity
    std::string exception;             // text of {"exception":"..."}, if that was the record
};

/// `answer` is everything that arrived on the answer pipe: one record `{"answer":{...}}` or
/// `{"exception":"..."}`, optionally followed by one newline.
CheckResult check(const Expected& expected, std::string_view answer);

}  // namespace grader

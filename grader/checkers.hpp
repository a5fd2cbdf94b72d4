// Compares the bytes of one answer with the expected numbers of its case. Pure; coordinator only.
// Does not decide about crashes or limits: that is verdict work of judge.cpp.
// Called once per case, by judge.cpp and by the trivial-answer floor.
#pragma once

#include "grader/expected.hpp"
#include "grader/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct Mismatch {
    std::string quantity;
    std::int64_t expected = 0;
    std::string actual;           // as written, cut to 80 bytes; "" if missing
    std::optional<double> error;  // signed relative error; none where it has no value
    std::string hint;             // one word: "x2", "one_tile_more", "missing", ...; or ""
};

struct CheckResult {
    Judgement judgement;               // AC, WA or PE
    Flags flags = 0;                   // tamper
    std::vector<Mismatch> mismatches;  // every one, sorted by quantity
    std::string exception;             // text of {"exception":"..."}, if that was the record
};

/// `answer` is everything that arrived on the answer pipe: one record `{"answer":{...}}` or
/// `{"exception":"..."}`, optionally followed by one newline. Where several reasons apply:
/// missing_key, extra_key, non_finite, not_integer, value, in this order. A record of an exception
/// gives PE no_answer and a non-empty `exception`: the caller makes it RTE. An empty `expected` is
/// our fault: JE.
CheckResult check(const Expected& expected, std::string_view answer);

}  // namespace grader

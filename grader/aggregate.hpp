// Combines the cases of each repeat, and the repeats of a submission, into one Grade.
// Does not look at outputs or expected numbers: judge.hpp did. Computes no rate: statistics.hpp
// does. Called by the coordinator when a submission is finished, and when results are read back.
#pragma once

#include "grader/judge.hpp"
#include "grader/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// How many cases a task has; the visible ones come first.
struct CaseTotals {
    std::uint32_t visible = 0;
    std::uint32_t total = 0;
};

/// One repeat: the cases that ran, from case 0 on without a gap.
struct RunResult {
    std::vector<CaseResult> cases;
};

struct CaseCounts {
    std::uint32_t passed = 0;
    std::uint32_t run = 0;
    std::uint32_t total = 0;
    bool operator==(const CaseCounts&) const = default;
};

/// The first case of the deciding repeat that has the deciding verdict; for people.
struct FirstFailure {
    std::uint32_t index = 0;
    bool visible = false;
    std::string detail;
    std::optional<Mismatch> mismatch;  // the first by name
};

struct Grade {
    Judgement judgement;
    Flags flags = 0;
    std::uint32_t repeats = 0;  // how many were run; 0 for a CE
    CaseCounts all, visible, hidden;
    std::string detail;                 // of a CE or JE, for people
    std::optional<FirstFailure> first;  // none for AC, CE and JE
};

/// The gravest verdict over a repeat's cases, with the reason of the first case that has it. JE
/// without cases.
Judgement combine(const RunResult& run);

/// The gravest verdict over the repeats. Counts, reason and first failure are those of the first
/// repeat with that verdict. `unstable`: two repeats differ in a case's verdict, in a wrong number
/// or in how many cases ran. Without repeats or without cases: JE.
Grade aggregate(const std::vector<RunResult>& repeats, const CaseTotals& totals);

/// A grade without any case: CE, SV breaks_worker and JE.
Grade grade_without_cases(Judgement judgement, std::string detail, const CaseTotals& totals);

/// Whether a submission looks like a table of the visible cases: all of those pass, all cases ran,
/// at most one hidden case in ten passes, and it fails by WA, PE or RTE (never by a limit).
bool looks_memorised(const Grade& grade);

}  // namespace grader

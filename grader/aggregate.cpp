// Gravest verdicts, counts, and disagreement between repeats.
// Holds no table of gravity: verdict.cpp does.
// See aggregate.hpp.
#include "grader/aggregate.hpp"

#include <algorithm>
#include <utility>

namespace grader {

namespace {

constexpr std::uint32_t kMemorisedShare = 10;  // at most one hidden case in this many passes

/// TLE by either clock is the same finding; everything else about a case counts.
bool same_finding(const CaseResult& a, const CaseResult& b) {
    if (a.judgement.verdict != b.judgement.verdict) return false;
    const bool clock = a.judgement.verdict == Verdict::time_limit;
    if (!clock && a.judgement.reason != b.judgement.reason) return false;
    return std::equal(a.mismatches.begin(), a.mismatches.end(), b.mismatches.begin(),
                      b.mismatches.end(), [](const Mismatch& x, const Mismatch& y) {
                          return x.quantity == y.quantity && x.actual == y.actual;
                      });
}

bool agree(const RunResult& a, const RunResult& b) {
    return std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(), same_finding);
}

void count(const RunResult& run, const CaseTotals& totals, Grade& grade) {
    grade.visible.total = totals.visible;
    grade.hidden.total = totals.total - totals.visible;
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
        CaseCounts& counts = i < totals.visible ? grade.visible : grade.hidden;
        ++counts.run;
        if (run.cases[i].judgement.verdict == Verdict::accepted) ++counts.passed;
    }
    grade.all = {grade.visible.passed + grade.hidden.passed, grade.visible.run + grade.hidden.run,
                 totals.total};
}

std::optional<FirstFailure> find_first(const RunResult& run, Judgement judgement,
                                       const CaseTotals& totals) {
    if (judgement.verdict == Verdict::accepted) return std::nullopt;
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
        const CaseResult& result = run.cases[i];
        if (result.judgement != judgement) continue;
        FirstFailure first{static_cast<std::uint32_t>(i), i < totals.visible, result.detail, {}};
        if (!result.mismatches.empty()) first.mismatch = result.mismatches.front();
        return first;
    }
    return std::nullopt;
}

}  // namespace

Judgement combine(const RunResult& run) {
    if (run.cases.empty()) return {Verdict::judge_error, Reason::host};
    Judgement gravest = run.cases.front().judgement;
    for (const CaseResult& result : run.cases) gravest = graver(gravest, result.judgement);
    return gravest;
}

Grade aggregate(const std::vector<RunResult>& repeats, const CaseTotals& totals) {
    if (repeats.empty())
        return grade_without_cases({Verdict::judge_error, Reason::host}, "no repeat was run",
                                   totals);
    Grade grade;
    grade.repeats = static_cast<std::uint32_t>(repeats.size());
    const RunResult* deciding = &repeats.front();
    grade.judgement = combine(*deciding);
    for (const RunResult& run : repeats) {
        const Judgement judgement = combine(run);
        if (graver(grade.judgement, judgement) != grade.judgement) {
            deciding = &run;
            grade.judgement = judgement;
        }
        if (!agree(repeats.front(), run)) grade.flags |= Flag::unstable;
        for (const CaseResult& result : run.cases)
            grade.flags = static_cast<Flags>(grade.flags | result.flags);
    }
    count(*deciding, totals, grade);
    // Only a case of grave verdict stops a run early; otherwise results were lost on the way.
    if (grade.judgement.verdict == Verdict::accepted && grade.all.run != totals.total)
        return grade_without_cases({Verdict::judge_error, Reason::host}, "cases are missing",
                                   totals);
    grade.first = find_first(*deciding, grade.judgement, totals);
    if (looks_memorised(grade)) grade.flags |= Flag::likely_memorised;
    return grade;
}

Grade grade_without_cases(Judgement judgement, std::string detail, const CaseTotals& totals) {
    Grade grade;
    grade.judgement = judgement;
    grade.detail = std::move(detail);
    grade.all.total = totals.total;
    grade.visible.total = totals.visible;
    grade.hidden.total = totals.total - totals.visible;
    return grade;
}

bool looks_memorised(const Grade& grade) {
    const Verdict verdict = grade.judgement.verdict;
    if (verdict != Verdict::wrong_answer && verdict != Verdict::presentation_error &&
        verdict != Verdict::run_time_error)
        return false;
    if (grade.visible.total == 0 || grade.visible.passed != grade.visible.total) return false;
    if (grade.hidden.total == 0 || grade.all.run != grade.all.total) return false;
    return std::uint64_t{grade.hidden.passed} * kMemorisedShare <= grade.hidden.total;
}

}  // namespace grader

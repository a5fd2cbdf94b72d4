// Turns what came out of a jail into a verdict with its reason: the only map from Outcome to
// Verdict. Does not combine cases or repeats: aggregate.hpp does. Called by the coordinator, once
// per build and once per case.
#pragma once

#include "grader/case_output.hpp"
#include "grader/checkers.hpp"
#include "grader/expected.hpp"
#include "grader/verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace grader {

struct CaseResult {
    Judgement judgement;
    Flags flags = 0;
    std::string detail;  // for people: "signal 11", a blocked call, an exception's text
    std::vector<Mismatch> mismatches;  // every one, sorted by quantity
};

struct BuildResult {
    Judgement judgement;  // AC where a program was built, else CE
    std::string detail;   // for people, one line
};

/// One case. A crash, a limit or a blocked call outweighs any answer that was left.
CaseResult judge(const CaseOutput& output, const Expected& expected);

/// The build of one submission.
BuildResult judge_build(const BuildOutput& build);

}  // namespace grader

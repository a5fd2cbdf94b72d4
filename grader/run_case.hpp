// One case in a fresh box: the second of the two jailed stages.
// Compares nothing: no expected number comes here.
// Called by worker.cpp, once per case and repeat, twice where a clock was near.
#pragma once

#include "grader/build.hpp"
#include "grader/case_input.hpp"
#include "grader/case_output.hpp"
#include "grader/error.hpp"
#include "grader/toolkit.hpp"
#include "sandbox/jail.hpp"

namespace grader {

/// Runs `program` on `input` in `jail`, which is new or was reset.
/// Errors: the host's only.
Result<CaseOutput> run_case(sandbox::Jail& jail, const Toolkit& toolkit, const Program& program,
                            const CaseInput& input, const sandbox::Limits& limits);

/// A clock ended it, or it passed above half of a time limit: only a run alone on the host counts.
/// The same for memory where it is sampled.
bool needs_lonely_run(const CaseOutput& output, const sandbox::Limits& limits);

/// Ended by a limit or a blocked call; after three of these the remaining cases are not run.
bool ended_hard(const CaseOutput& output);

}  // namespace grader

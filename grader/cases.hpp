// Makes the cases of a task from a seed: inputs (what a submission reads) and expected numbers.
// Coordinator only. The two are separate values from birth: CaseInput is what may leave.
// Called by `perfjudge grade` and `perfjudge task`.
#pragma once

#include "grader/case_input.hpp"
#include "grader/error.hpp"
#include "grader/expected.hpp"
#include "grader/task.hpp"
#include "reference/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct Cases {
    std::vector<CaseInput> inputs;   // visible ones first
    std::vector<Expected> expected;  // same order and length
    std::string hidden_sha256;       // of the hidden inputs, each followed by a newline
};

/// Visible cases come from the public seed, hidden ones from `hidden_seed`; a hidden case equal to
/// a visible one is replaced. Same bytes on every machine. Errors: bad_input if the trivial-answer
/// floor (zeros, ones, echo, lookup, mean, NaN, nothing) passes, naming the answer that does.
Result<Cases> make_cases(const Task& task, const reference::Seed& hidden_seed);

/// The public development seed, used where no hidden seed is given.
const reference::Seed& development_seed();

}  // namespace grader

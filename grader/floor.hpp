// The trivial-answer floor: a task that zeros, a copied input or a lookup table passes is refused.
// Does not make cases.
// Called by cases.cpp whenever cases are made.
#pragma once

#include "grader/case_input.hpp"
#include "grader/error.hpp"
#include "grader/expected.hpp"

#include <span>

namespace grader {

/// Grades the trivial answers on the hidden cases: nothing, an empty answer, zeros, ones, NaN,
/// every single number of the input, the answer of a visible case (looked up, and each of them for
/// all), the mean of the visible answers, and the answer of the first hidden case for all. Errors:
/// bad_input naming the answer that passes every hidden case, or the case without quantities.
Result<void> check_floor(std::span<const CaseInput> inputs, std::span<const Expected> expected);

}  // namespace grader

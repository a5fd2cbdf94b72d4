// From the reference's traffic to named quantities: one table, generic in level and tensor names.
// Does not evaluate a mapping and does not compare.
// Called by cases.cpp for expected numbers, by task.cpp to check patterns.
#pragma once

#include "grader/error.hpp"
#include "grader/expected.hpp"
#include "grader/task.hpp"
#include "reference/generate.hpp"
#include "reference/traffic.hpp"

#include <span>
#include <string>
#include <string_view>

namespace grader {

/// Whether a pattern is one of
///   LEVEL.reads  LEVEL.updates  LEVEL.fills             all tensors, all instances together
///   LEVEL.reads.T  LEVEL.updates.T  LEVEL.fills.T       one tensor; 0 where it is bypassed
///   LEVEL.words      level 0: all reads and updates; else the kept tiles of one instance
///   LEVEL.fits       1 if these tiles fit into one instance's capacity, else 0
///   LEVEL.used       instances that the mapping uses
///   cycles  cycles.LEVEL
/// LEVEL is a level's name in lower case; T a tensor's name, {input} (one quantity per input) or
/// {output}. Errors: bad_input.
Result<void> check_pattern(std::string_view pattern);

/// The quantities of one case, sorted by name. Numbers are exact.
/// Errors: bad_input where a pattern names a level or tensor that the case lacks, where two
/// patterns give one name, or where a sum exceeds 2^63-1.
Result<Expected> quantities_of(const reference::Case& made, const reference::Traffic& traffic,
                               std::span<const Quantity> quantities);

/// One line of text: the patterns as they are written in a prompt.
std::string names_of(std::span<const Quantity> quantities);

}  // namespace grader

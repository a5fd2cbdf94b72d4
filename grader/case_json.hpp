// A case as the one JSON object that a submission reads.
// Does not carry expected numbers. Key order and spelling are those of docs/task-format.md.
// Called by cases.cpp.
#pragma once

#include "grader/json.hpp"
#include "reference/generate.hpp"

namespace grader {

/// One object with workload, architecture and mapping.
Json case_json(const reference::Case& made);

}  // namespace grader

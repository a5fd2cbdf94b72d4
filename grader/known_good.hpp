// A submission that is known to be right: a task's own solution.
// Runs nothing.
// Called by runner.cpp when a worker has died twice with the same job.
#pragma once

#include "grader/error.hpp"
#include "grader/language.hpp"
#include "grader/task.hpp"

#include <string>

namespace grader {

/// Source of a file in the task's solutions/ that is in `language`; the first by name.
/// Errors: bad_input if there is none.
Result<std::string> known_good(const Task& task, Language language);

}  // namespace grader

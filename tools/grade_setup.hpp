// What every grading from the command line has in common: this program as its worker, this host.
// Does not grade.
// Used by cmd_grade.cpp and task_verify.cpp.
#pragma once

#include "grader/grade.hpp"

namespace tools {

constexpr unsigned kMostJobs = 1024;

/// Processors that this process may use, at most kMostJobs.
unsigned processors();

/// Options with version, host and worker pool; input, output and seed are the caller's.
grader::GradeOptions standard_grade_options(unsigned jobs);

}  // namespace tools

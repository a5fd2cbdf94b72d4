// Grades the solutions and the wrong submissions that lie in a task's folder.
// Judges nothing itself: the same pipeline as `perfjudge grade` does.
// Called by `perfjudge task verify`.
#pragma once

#include "grader/error.hpp"
#include "grader/task.hpp"

#include <span>
#include <string>
#include <vector>

namespace tools {

/// One file of a task folder and what became of it.
struct Verified {
    std::string task;
    std::string file;      // relative to the task's folder
    std::string expected;  // "AC" for solutions/, the folder's name for wrong/<VERDICT>/
    std::string verdict, reason;
};

/// Every solution and every wrong submission of the tasks, graded on the development seed.
/// Errors: bad_input for a task without solutions or with a file of no known language;
/// cannot_judge.
grader::Result<std::vector<Verified>> verify_tasks(std::span<const grader::Task> tasks,
                                                   const std::string& tasks_folder, unsigned jobs);

/// A table; rows that differ are marked.
std::string verified_text(std::span<const Verified> rows);

}  // namespace tools

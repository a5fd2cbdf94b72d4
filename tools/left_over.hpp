// What a grading could leave on the host: processes, mounts, control groups.
// Removes nothing: what is left is a fault that somebody should see.
// Called by selftest_run.cpp.
#pragma once

#include <set>
#include <string>

namespace tools {

struct Traces {
    std::set<std::string> mounts;  // of our names, in our own mount namespace
    std::set<std::string> groups;  // of helpers that are gone
};

/// From now on whoever loses its parent below us becomes our child.
void adopt_orphans();

Traces traces_now();

/// Reaps children until none is left, for some seconds at most; the pids that are still there.
std::set<std::string> children_left();

}  // namespace tools

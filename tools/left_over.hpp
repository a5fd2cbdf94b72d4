// What a grading could leave behind: processes, mounts, control groups, words of a file outside.
// Removes nothing: what is left is a fault that somebody should see.
// Called by selftest_run.cpp.
#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace tools {

struct Traces {
    std::set<std::string> mounts;  // of our names, in our own mount namespace
    std::set<std::string> groups;  // of helpers that are gone
};

/// From now on whoever loses its parent below us becomes our child.
void adopt_orphans();

Traces traces_now();

/// Reaps children until none is left, for so long at most; the pids that are still there.
std::set<std::string> children_left(std::chrono::milliseconds at_most);

/// Mount points of file systems that have our names, from the text of a mountinfo. Pure.
std::set<std::string> our_mounts(std::string_view mountinfo);

/// Whether a folder's name is that of a helper's group in this pid namespace, and the helper is
/// gone.
bool is_dead_group(std::string_view name, std::string_view pid_namespace);

/// Files below `folder` with `word` in them, plain or in base64 at any of its three offsets.
std::set<std::string> files_with(const std::filesystem::path& folder, const std::string& word);

}  // namespace tools

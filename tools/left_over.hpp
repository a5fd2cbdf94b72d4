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

/// From now on whoever loses its parent below us becomes our child.
void adopt_orphans();

/// Groups of helpers that run below us. Others may grade on this host at the same time, and what
/// they leave is theirs.
std::set<std::string> groups_of_our_helpers();

/// Mount points of file systems that have our names, in our own mount namespace.
std::set<std::string> mounts_now();

/// Reaps children until none is left, for so long at most; the pids that are still there.
std::set<std::string> children_left(std::chrono::milliseconds at_most);

/// Mount points of file systems that have our names, from the text of a mountinfo. Pure.
std::set<std::string> our_mounts(std::string_view mountinfo);

/// The helper whose group has this name, if it is one of this pid namespace; else 0.
int helper_of_group(std::string_view name, std::string_view pid_namespace);
/// `pid` is this process or runs below it.
bool descends_from_us(int pid);

/// Files below `folder` with `word` in them, plain or in base64 at any of its three offsets.
std::set<std::string> files_with(const std::filesystem::path& folder, const std::string& word);

}  // namespace tools

// Where on this host control groups could be made, from the kernel's own texts. Pure.
// Does not make groups: helper/cgroup.cpp does. Does not move anyone: lend.cpp does.
// Used by both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// Controllers that we use; in version 1 each may have a hierarchy of its own.
enum class Controller : std::uint8_t { memory, pids, cpu };

struct Hierarchy {
    std::string path;  // of the group under which ours are made
    int version = 0;   // 1 or 2
    std::vector<Controller> controllers;
    bool operator==(const Hierarchy&) const = default;
};

/// Where lend_cgroup() puts the caller, so that its old group may have children with limits.
inline constexpr std::string_view kLeafName = "perfjudge-host";

/// Which hierarchies this process could make groups in, from the texts of /proc/self/cgroup and
/// /proc/self/mountinfo. Pure.
std::vector<Hierarchy> find_hierarchies(std::string_view self_cgroup, std::string_view mountinfo);

/// True if `word` is one of the comma-separated words of `list`.
bool lists(std::string_view list, std::string_view word);

/// Parts of a text between separators; empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator);
/// The parts would point into a string that is gone.
std::vector<std::string_view> split(std::string&& text, char separator) = delete;

}  // namespace sandbox

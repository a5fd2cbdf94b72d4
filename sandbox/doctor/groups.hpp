// Control groups: which layout this host has, what is lent to us, and how to get the rest.
// Leaves no group: what a probe makes it removes.
// Called by examine.cpp; the explaining part is pure.
#pragma once

#include "sandbox/doctor/finding.hpp"
#include "sandbox/doctor/host_texts.hpp"
#include "sandbox/hierarchy.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sandbox::doctor {

enum class Layout { none, one, two, hybrid };
/// From /proc/self/mountinfo. hybrid: controllers of version 1 beside a mount of version 2.
Layout layout_of(std::string_view mountinfo);

/// One hierarchy in which a group was made, or the step and errno at which that failed.
struct GroupTried {
    Hierarchy where;
    int error = 0;
    std::string step;
    std::vector<Controller> lent;  // controllers whose files the new group had, writable
    bool swap = false;             // swap is accounted with memory
};

std::vector<GroupTried> try_groups(const HostTexts& host);

/// layout, memory, pids, cpu, and swap where memory is lent. `note`: what lend_cgroup() said.
std::vector<Finding> explain_groups(const std::vector<GroupTried>& tried, std::string_view note,
                                    const HostTexts& host);

}  // namespace sandbox::doctor

// What the tried groups mean for the limits, and the remedy that fits this host.
// Pure: touches no group.
// See groups.hpp.
#include "sandbox/doctor/groups.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sandbox::doctor {

namespace {

constexpr const char* kArea = "control groups";

std::string layout_name(Layout layout) {
    switch (layout) {
        case Layout::none:
            return "none mounted";
        case Layout::one:
            return "version 1";
        case Layout::two:
            return "version 2";
        case Layout::hybrid:
            return "hybrid: controllers of version 1, and a mount of version 2";
    }
    return {};
}

/// How this process could be given groups with limits. `error`: what making one was answered.
std::string remedy_for(Layout layout, int error, const HostTexts& host) {
    if (layout == Layout::none)
        return "as root: mount -t cgroup2 cgroup2 /sys/fs/cgroup, then start perfjudge in a group "
               "of its own";
    // A container shows its groups read-only, even to its root.
    if (host.docker && (host.as_root || error == EROFS))
        return "give the container groups it may write: docker run --privileged --cgroupns=private "
               "(podman: --security-opt unmask=/sys/fs/cgroup --cgroups=split)";
    if (layout == Layout::one || layout == Layout::hybrid)
        return host.as_root
                   ? "mount the memory, pids and cpuacct hierarchies writable below "
                     "/sys/fs/cgroup"
                   : "run as root, or let root make a group in each hierarchy, chown it to "
                     "this user and start perfjudge in it (version 1 delegates no other "
                     "way); or boot with systemd.unified_cgroup_hierarchy=1";
    if (wsl(host) == Wsl::two && !host.systemd)
        return "put systemd=true below [boot] in /etc/wsl.conf, run wsl --shutdown, then: "
               "systemd-run --user --scope -p Delegate=yes perfjudge ...";
    if (host.systemd)
        return host.as_root ? "systemd-run --scope -p Delegate=yes perfjudge ..."
                            : "systemd-run --user --scope -p Delegate=yes perfjudge ...";
    return "as root: make a group, write '+memory +pids' to cgroup.subtree_control above it, chown "
           "it to the user, and start perfjudge alone in it";
}

struct Row {
    Controller controller;
    const char* name;
    const char* with;
    const char* without;
};

constexpr Row kRows[] = {
    {Controller::memory, "memory controller",
     "the kernel holds the memory of a whole case, children included, and says who ran out",
     "memory of a case is `sampled`: RLIMIT_DATA a process, and the sum of all every 10 ms"},
    {Controller::pids, "pids controller", "the kernel counts the processes of each case by itself",
     "processes are held by RLIMIT_NPROC, and their refusals are not always seen"},
    {Controller::cpu, "cpu accounting",
     "CPU time of a case is read from the kernel, ended children included",
     "CPU time of a case is `sampled`: the sum over its processes every 10 ms"},
};

const GroupTried* lender(const std::vector<GroupTried>& tried, Controller controller) {
    for (const GroupTried& group : tried) {
        if (std::find(group.lent.begin(), group.lent.end(), controller) != group.lent.end())
            return &group;
    }
    return nullptr;
}

int error_of(const std::vector<GroupTried>& tried, Controller controller) {
    for (const GroupTried& group : tried) {
        const auto& has = group.where.controllers;
        if (std::find(has.begin(), has.end(), controller) != has.end()) return group.error;
    }
    return 0;
}

std::string why_not(const std::vector<GroupTried>& tried, Controller controller,
                    std::string_view note) {
    for (const GroupTried& group : tried) {
        const auto& has = group.where.controllers;
        if (std::find(has.begin(), has.end(), controller) == has.end()) continue;
        if (group.error != 0)
            return group.where.path + ": " + group.step + ": " +
                   std::generic_category().message(group.error);
        const std::size_t end = note.find(';');  // its remedy follows; ours is more precise
        if (!note.empty()) return std::string(note.substr(0, end));
        return group.where.path + ": the controller is not turned on for groups below it";
    }
    return "no hierarchy that this process is in has it";
}

}  // namespace

Layout layout_of(std::string_view mountinfo) {
    bool one = false, two = false;
    for (const std::string_view line : split(mountinfo, '\n')) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string_view::npos) continue;
        const std::string_view after = line.substr(dash + 3);
        if (after.starts_with("cgroup2 ")) two = true;
        const std::string_view options = after.substr(after.rfind(' ') + 1);
        // A mount of version 1 without controllers is systemd's own and limits nothing.
        if (after.starts_with("cgroup ") &&
            (lists(options, "memory") || lists(options, "pids") || lists(options, "cpuacct")))
            one = true;
    }
    if (one && two) return Layout::hybrid;
    if (one) return Layout::one;
    return two ? Layout::two : Layout::none;
}

std::vector<Finding> explain_groups(const std::vector<GroupTried>& tried, std::string_view note,
                                    const HostTexts& host) {
    const Layout layout = layout_of(host.mountinfo);
    std::vector<Finding> findings;
    findings.push_back({kArea, "layout", layout == Layout::none ? State::limited : State::ok,
                        layout_name(layout), "where limits of memory, processes and CPU come from",
                        layout == Layout::none ? remedy_for(layout, 0, host) : ""});
    for (const Row& row : kRows) {
        if (const GroupTried* group = lender(tried, row.controller))
            findings.push_back({kArea, row.name, State::ok,
                                "made a group below " + group->where.path, row.with, ""});
        else
            findings.push_back({kArea, row.name, State::limited,
                                why_not(tried, row.controller, note), row.without,
                                remedy_for(layout, error_of(tried, row.controller), host)});
    }
    const GroupTried* memory = lender(tried, Controller::memory);
    if (memory == nullptr) return findings;
    if (memory->swap)
        findings.push_back({kArea, "swap accounting", State::ok, "memory and swap are one limit",
                            "a program cannot hide in swap", ""});
    else
        findings.push_back({kArea, "swap accounting", State::limited, "swap is not counted",
                            "a program may push memory beyond its limit into swap",
                            "boot with swapaccount=1, or run without swap: swapoff -a"});
    return findings;
}

}  // namespace sandbox::doctor

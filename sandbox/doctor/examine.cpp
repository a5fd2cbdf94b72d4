// Tries, then explains, one mechanism after the other.
// Decides nothing about the mode: the real helper does.
// See examine.hpp.
#include "sandbox/doctor/examine.hpp"

#include "sandbox/doctor/explain.hpp"
#include "sandbox/doctor/groups.hpp"

#include <utility>

#include <linux/magic.h>
#include <sched.h>
#include <sys/vfs.h>

namespace sandbox::doctor {

std::string_view name(State state) {
    switch (state) {
        case State::ok:
            return "ok";
        case State::limited:
            return "limited";
        case State::missing:
            return "missing";
    }
    return "";
}

namespace {

bool proc_is_mounted() {
    struct statfs status {};
    return ::statfs("/proc", &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

std::vector<Finding> examine_host(std::string_view group_note) {
    const HostTexts host = read_host_texts();
    std::vector<Finding> all{
        explain_machine(host),      explain_kernel(host),
        explain_wsl(host),          explain_proc(proc_is_mounted(), host),
        explain_core_pattern(host), explain_user_namespace(try_user_namespace(), host)};
    all.push_back(explain_jail_id(try_jail_id(), host));
    for (const NamespaceRow& row : namespace_rows()) {
        // The helper leaves the host's mounts by unshare, and asks clone for the others.
        const Tried tried =
            row.flag == CLONE_NEWNS ? try_mount_namespace() : try_namespace(row.flag);
        all.push_back(explain_namespace(row, tried, host));
    }
    all.push_back(explain_pid_counter(try_pid_counter(), host));
    all.push_back(explain_private_mounts(try_private_mounts(), host));
    all.push_back(explain_tmpfs(try_tmpfs(), host));
    all.push_back(explain_mount_calls(try_mount_calls(), host));
    all.push_back(explain_filter(try_filter(), host));
    all.push_back(explain_notification(try_notification(), host));
    all.push_back(explain_landlock(try_landlock()));
    all.push_back(explain_executable_memory(try_executable_memory(), host));
    for (Finding& finding : explain_groups(try_groups(host), group_note, host))
        all.push_back(std::move(finding));
    return all;
}

}  // namespace sandbox::doctor

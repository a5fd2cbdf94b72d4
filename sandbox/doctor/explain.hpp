// From what was tried, and the kernel's own words, to findings with meaning and remedy. Pure.
// Tries nothing: probe.hpp does. Control groups are in groups.hpp.
// Called by examine.cpp; tests give it what other hosts would have answered.
#pragma once

#include "sandbox/doctor/finding.hpp"
#include "sandbox/doctor/host_texts.hpp"
#include "sandbox/doctor/probe.hpp"

#include <vector>

namespace sandbox::doctor {

Finding explain_machine(const HostTexts& host);
Finding explain_kernel(const HostTexts& host);
Finding explain_wsl(const HostTexts& host);
/// `is_proc`: a proc file system is mounted there.
Finding explain_proc(bool is_proc, const HostTexts& host);
Finding explain_core_pattern(const HostTexts& host);

Finding explain_user_namespace(const Tried& tried, const HostTexts& host);

Finding explain_jail_id(const Tried& tried, const HostTexts& host);

struct NamespaceRow {
    const char* name;     // "pid"
    int flag;             // of clone
    const char* meaning;  // what it keeps from a program
};
const std::vector<NamespaceRow>& namespace_rows();
Finding explain_namespace(const NamespaceRow& row, const Tried& tried, const HostTexts& host);
Finding explain_pid_counter(const Tried& tried, const HostTexts& host);

Finding explain_private_mounts(const Tried& tried, const HostTexts& host);
Finding explain_tmpfs(const Tried& tried, const HostTexts& host);
Finding explain_mount_calls(const Tried& tried, const HostTexts& host);

Finding explain_filter(const Tried& tried, const HostTexts& host);
Finding explain_notification(const Tried& tried, const HostTexts& host);
Finding explain_landlock(const LandlockTried& tried);
Finding explain_executable_memory(const Tried& tried, const HostTexts& host);

}  // namespace sandbox::doctor

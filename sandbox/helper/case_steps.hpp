// The confinement steps of one program, run in init's child just before exec.
// Does not allocate, needs no C library, knows no profile by name.
// Called by init.cpp only.
#pragma once

#include "sandbox/helper/init_wire.hpp"

#include <cstdint>

struct sock_filter;

namespace sandbox {

/// All that a step may look at. Lives in init's memory, which the child shares until exec.
struct CasePlan {
    const init_wire::Configure* jail = nullptr;
    const init_wire::Run* run = nullptr;
    long init_pid = 0;  // as its children see it
    int cgroup_procs[init_wire::kMaxCgroups] = {-1, -1, -1, -1};
    int landlock_ruleset = -1;  // -1: the kernel has none
    int folder = -1;            // where programs start; -1: in /box
    sock_filter* filter = nullptr;
    const std::uint32_t* own_pid_at = nullptr;  // instructions of it that compare with the own pid
    std::uint32_t own_pid_count = 0;
    char* const* argv = nullptr;
    char* const* envp = nullptr;
    // Written by the child:
    int listener = -1;  // where held calls arrive
    std::uint32_t failed_step = 0;
    long error = 0;  // -errno of the failed step; 0: none failed
    std::uint64_t cpu_ns_at_exec = 0, time_ns_at_exec = 0;
};

/// Runs every step in order; returns only if one failed, with failed_step and error set.
void confine_and_exec(CasePlan& plan);

/// True for the last step: everything was set up, and the kernel refused the program.
bool is_exec_step(std::uint32_t index);

/// Name of step `index`, for error texts.
const char* case_step_name(std::uint32_t index);

}  // namespace sandbox

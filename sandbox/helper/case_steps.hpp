// The confinement steps of one program, run in init's child just before exec, or in a zygote's
// child just before it reads a submission. Does not allocate, needs no C library, knows no
// profile by name. Called by init.cpp and zygote.cpp.
#pragma once

#include "sandbox/helper/init_wire.hpp"

#include <cstdint>

struct sock_filter;

namespace sandbox {

/// What becomes of the process: a program, a zygote, or a zygote's child.
enum class Stage : std::uint8_t { program = 1, zygote = 2, child = 4 };

/// All that a step may look at. Lives in init's memory, which the child shares until exec; or in
/// the zygote's.
struct CasePlan {
    Stage stage = Stage::program;
    const init_wire::Configure* jail = nullptr;
    const init_wire::Run* run = nullptr;
    long init_pid = 0;                  // as its children see it
    int streams[4] = {-1, -1, -1, -1};  // to be stdin, stdout, stderr, answer
    int image = -1;                     // to be executed; -1: `path` is
    const char* path = "";
    int zygote_socket = -1;  // a zygote's end
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
    std::uint64_t cpu_ns_at_start = 0, time_ns_at_start = 0;
};

/// Distributes what arrived beside a Run. False if the descriptors are not what it says.
bool take_descriptors(CasePlan& plan, const int* fds, int count);

/// Runs every step of plan.stage in order. Returns if one failed, with failed_step and error set;
/// in a zygote's child also when all are done.
void confine(CasePlan& plan);

/// True for the last step: everything was set up, and the kernel refused the program.
bool is_exec_step(std::uint32_t index);

/// Name of step `index`, for error texts.
const char* case_step_name(std::uint32_t index);

}  // namespace sandbox

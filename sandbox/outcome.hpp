// How a jailed run ended, what it used, what it left on its descriptors.
// Not an Error: whatever a program does is a value.
// Made by Jail::run from the helper's report.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sandbox {

enum class Ending : std::uint8_t {
    exited,
    signaled,
    cpu_limit,
    wall_limit,
    memory_limit,
    output_limit,
    policy_violation
};
std::string_view name(Ending ending);

/// Refusals that ended nothing; best effort where the kernel reports none.
struct LimitsHit {
    bool processes = false, disk = false, inodes = false, file_size = false, memory = false;
};

/// Who enforces a limit here.
enum class Limiter : std::uint8_t { none, cgroup, rlimit, sampled, keeper, mount };
std::string_view name(Limiter limiter);

struct LimitsInForce {
    Limiter cpu{}, wall{}, memory{}, processes{}, output{}, files{};
};

struct Usage {
    std::uint64_t cpu_us = 0;   // all processes of the run, from exec
    std::uint64_t wall_us = 0;  // from exec to the end
    std::uint64_t peak_memory_bytes = 0;
    std::uint32_t processes_peak = 0;
    std::uint64_t output_bytes = 0;
};

struct Outcome {
    Ending ending = Ending::exited;
    int exit_code = 0;                // where ending is exited
    int signal = 0;                   // where ending is signaled
    std::string blocked_call;         // where ending is policy_violation: its name, or "unknown"
    bool calls_named = true;          // false: the filter kills by itself (no listener here)
    bool leftover_processes = false;  // others still lived when the program ended
    bool forked = false;              // from a zygote; else executed
    std::uint32_t landlock_abi = 0;  // every right and scope of it was handled; 0: no Landlock here
    LimitsHit limits_hit;
    LimitsInForce limits_in_force;
    Usage usage;
    std::string out, err, answer;  // descriptors 1, 2 and 3, cut at output_bytes
};

}  // namespace sandbox

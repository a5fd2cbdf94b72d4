// What the helper and init of a jail say to each other: fixed structures on a SEQPACKET socket.
// Holds no pointer; descriptors travel beside a message in the order that is stated here.
// Used by keeper.cpp, jail_steps.cpp (helper), init.cpp, case_steps.cpp (init) and zygote.cpp.
#pragma once

#include <cstdint>

namespace sandbox::init_wire {

constexpr int kControlFd = 20;  // init's end of the socket; all that init inherits
constexpr int kProgramFd = 4;   // the program, for execveat: the only number the policies name
constexpr int kZygoteFd = 5;    // a zygote's end of its socket to init
constexpr std::uint32_t kMaxStrings = 64 * 1024;  // path, arguments and environment together
constexpr std::uint32_t kMaxCgroups = 4;
/// Where a filter means the pid of the program that loads it; larger than any pid.
constexpr std::uint32_t kOwnPidMark = 0x7e57a11d;

enum class RequestKind : std::uint32_t { configure, run, start_zygote, fork, kill_all, reset };

/// First message. Descriptors beside it: the filter (a memfd of struct sock_filter); full mode: the
/// kernel's ns_last_pid where it has one; portable mode: the folder in which programs start.
struct Configure {
    RequestKind kind = RequestKind::configure;
    std::uint32_t filter_instructions = 0;
    std::uint32_t change_ids = 0;  // 1: setgroups, setresgid, setresuid to the ids below
    std::uint32_t uid = 0, gid = 0;
    std::uint32_t portable = 0;    // 1: no namespaces; init is a subreaper, programs have no /box
    std::uint32_t hold_calls = 1;  // 0: the filter kills by itself, as there can be no listener
    std::uint32_t inodes = 0;
    std::int32_t highest_call = 0;  // the highest system call that can be named
    std::uint64_t file_bytes = 0;
};

/// Of run, start_zygote and fork. Descriptors beside it: stdin, stdout, stderr, answer, the
/// Landlock ruleset (if any), image (if by_image), one cgroup.procs each.
struct Run {
    RequestKind kind = RequestKind::run;
    std::uint32_t by_image = 0;  // else the first string is a path
    std::uint32_t ruleset = 0;   // 1: there is one
    std::uint32_t argc = 0, envc = 0;
    std::uint32_t cgroups = 0;
    std::uint32_t open_files = 0;
    std::uint32_t processes = 0;    // RLIMIT_NPROC; 0: a cgroup limits them
    std::uint32_t cpu_seconds = 0;  // RLIMIT_CPU, a backstop far above the keeper's limit
    std::uint64_t file_bytes = 0;   // RLIMIT_FSIZE
    std::uint64_t data_bytes = 0;   // RLIMIT_DATA; 0: a cgroup limits memory
    std::uint64_t stack_bytes = 0;  // RLIMIT_STACK
    std::uint32_t strings_size = 0;
    // followed by strings_size bytes: [path\0] argv[0]\0 ... env[0]\0 ...
};

/// What init sends to a zygote: this, then the filter's instructions; descriptors as of Run.
struct Fork {
    Configure jail;
    Run run;
};

struct Simple {
    RequestKind kind = RequestKind::kill_all;  // or reset
};

enum class EventKind : std::uint32_t {
    ready,        // after configure and after reset; descriptor beside it: the folder /box
    failed,       // a step failed: step, error
    started,      // the program was executed or forked; from a zygote's child: number is its pid
    violation,    // a call was held: arch, number
    exited,       // the program (not a child of it) ended: code or signal
    zygote_lost,  // the zygote ended by itself: code or signal
    emptied       // after kill_all: no process but init is left
};

struct Event {
    EventKind kind{};
    std::uint32_t step = 0;   // failed: index into the step names
    std::int32_t error = 0;   // failed: errno
    std::uint32_t arch = 0;   // violation: AUDIT_ARCH_*
    std::int32_t number = 0;  // violation: call; exited, zygote_lost: exit code or signal
    std::uint32_t signaled = 0;
    std::uint32_t others = 0;   // exited: other processes of the run still lived
    std::uint64_t time_ns = 0;  // CLOCK_MONOTONIC of the event
    // exited, emptied: CPU of all reaped processes of the run, from its start; started: CPU of the
    // program before it
    std::uint64_t cpu_ns = 0;
    std::uint64_t max_rss_kib = 0;  // exited, emptied: the largest of one reaped process
};

}  // namespace sandbox::init_wire

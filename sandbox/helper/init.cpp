// init: pid 1 of one jail. Starts one program at a time, reaps, holds forbidden calls, empties
// /box.
//
// It is executed from an image inside the helper, without a C library, so that a jail costs one
// page or two. It trusts the helper and nothing else: it never reads memory, files or pipes that a
// program can write. It runs no program code; the program is a child that confines itself
// (case_steps.cpp) while it borrows this memory, and leaves it by exec. When the helper dies, init
// is killed with it, and with pid 1 every process of the jail.
// Does not decide: it reports events, and the keeper in the helper says when all must die.
#include "sandbox/helper/case_steps.hpp"
#include "sandbox/helper/clone_onto.hpp"
#include "sandbox/helper/init_wire.hpp"
#include "sandbox/helper/raw_socket.hpp"
#include "sandbox/helper/sys.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

namespace sandbox {
namespace {

using init_wire::Configure;
using init_wire::Event;
using init_wire::EventKind;
using init_wire::kControlFd;
using init_wire::kZygoteFd;
using init_wire::RequestKind;
using init_wire::Run;
using sys::address;
using sys::call;

constexpr int kFirstFreeFd = 32;                    // descriptors that arrive are moved above this
constexpr std::uint32_t kMaxUnknownCalls = 10'000;  // answered ENOSYS; then the run ends

alignas(8) char g_message[sizeof(Run) + init_wire::kMaxStrings];
alignas(16) char g_child_stack[32 * 1024];
char* g_pointers[4096];

struct Init {
    Configure jail;
    sock_filter* filter = nullptr;
    int signals = -1;
    int listener = -1;
    int folder = -1;                                       // where programs start; -1: in /box
    std::uint32_t own_pid_at[16] = {}, own_pid_count = 0;  // see CasePlan
    int last_pid = -1;              // ns_last_pid of the kernel, by descriptor; -1: it has none
    long program = -1;              // pid of the program; -1: none or reaped
    long zygote = -1;               // pid of the zygote; -1: none
    int zygote_fd = -1;             // our end of its socket
    bool forking = false;           // the zygote was asked for a child, which has not reported yet
    std::uint64_t cpu_base_ns = 0;  // of all children before this run
    std::uint64_t cpu_at_start_ns = 0;  // of the program before its start
    std::uint64_t max_rss_kib = 0;
    std::uint32_t unknown_calls = 0;
};
Init g;

std::uint64_t now_ns() {
    timespec now{};
    call(SYS_clock_gettime, CLOCK_MONOTONIC, address(&now));
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t cpu_ns_of(const rusage& usage) {
    return static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) *
               1'000'000'000U +
           static_cast<std::uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000U;
}

std::uint64_t children_cpu_ns() {
    rusage usage{};
    call(SYS_getrusage, RUSAGE_CHILDREN, address(&usage));
    return cpu_ns_of(usage);
}

void close_fd(int& fd) {
    if (fd >= 0) call(SYS_close, fd);
    fd = -1;
}

/// Every process of the run: all that can be seen in a namespace of our own, else the group of the
/// program, which none can leave. Its number is taken until the program is reaped.
void kill_run() {
    if (g.jail.portable == 0)
        call(SYS_kill, -1, SIGKILL);
    else if (g.program > 0)
        call(SYS_kill, -g.program, SIGKILL);
}

[[noreturn]] void die() {  // ends the jail; the helper sees it
    if (g.jail.portable != 0) {
        kill_run();
        while (call(SYS_wait4, -1, 0, __WALL, 0) > 0) {
        }
    }
    sys::exit_now(1);
}

/// Away from the numbers that a program will get.
int move_up(long fd) {
    const long moved = call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstFreeFd);
    call(SYS_close, fd);
    if (moved < 0) die();
    return static_cast<int>(moved);
}

void send_event(Event& event, int fd = -1) {
    if (event.time_ns == 0) event.time_ns = now_ns();
    const iovec part{&event, sizeof event};
    if (send_message(kControlFd, &part, 1, &fd, fd >= 0 ? 1 : 0) < 0) die();
}

void report_failure(std::uint32_t step, long error) {
    Event event;
    event.kind = EventKind::failed;
    event.step = step;
    event.error = static_cast<std::int32_t>(-error);
    send_event(event);
}

// ---- /box -------------------------------------------------------------------------------------

char* append(char* out, const char* text) {
    while (*text != '\0') *out++ = *text++;
    return out;
}

long mount_box() {
    char options[160];
    char* end = append(options, "mode=0700,size=");
    end = sys::decimal(end, g.jail.file_bytes);
    end = sys::decimal(append(end, ",nr_inodes="), g.jail.inodes);
    end = sys::decimal(append(end, ",uid="), g.jail.uid);
    end = sys::decimal(append(end, ",gid="), g.jail.gid);
    *end = '\0';
    return call(SYS_mount, address("box"), address("/box"), address("tmpfs"),
                MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME, address(options));
}

/// A fresh /box, and the descriptor through which the helper reads and writes it.
void renew_box() {
    if (const long n = mount_box(); n < 0) return report_failure(0, n);
    // Whatever is made or taken away in it sets this to now, and programs cannot set it back.
    const timespec never[2] = {};
    call(SYS_utimensat, AT_FDCWD, address("/box"), address(never), 0);
    const long folder =
        call(SYS_openat, AT_FDCWD, address("/box"), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return report_failure(0, folder);
    Event event;
    event.kind = EventKind::ready;
    send_event(event, static_cast<int>(folder));
    call(SYS_close, folder);
}

// ---- starting a program ------------------------------------------------------------------------

void child_main(void* argument) {
    confine(*static_cast<CasePlan*>(argument));
    sys::exit_now(127);  // seen by nobody as an exit code: the plan says which step failed
}

/// Splits the strings of a run into argv and envp. False if they are not what the header says.
bool split_strings(const Run& run, char* strings, CasePlan& plan) {
    const std::uint32_t wanted = (run.by_image == 0 ? 1 : 0) + run.argc + run.envc;
    if (run.argc == 0 || wanted + 2 > sizeof g_pointers / sizeof g_pointers[0]) return false;
    std::uint32_t at = 0;
    std::uint32_t pointer = 0;
    const auto next = [&]() -> char* {
        if (at >= run.strings_size) return nullptr;
        char* text = strings + at;
        at += static_cast<std::uint32_t>(sys::length(text)) + 1;
        return text;
    };
    if (run.strings_size == 0 || strings[run.strings_size - 1] != '\0') return false;
    if (run.by_image == 0) plan.path = next();
    plan.argv = g_pointers;
    for (std::uint32_t i = 0; i < run.argc; ++i) g_pointers[pointer++] = next();
    g_pointers[pointer++] = nullptr;
    plan.envp = g_pointers + pointer;
    for (std::uint32_t i = 0; i < run.envc; ++i) g_pointers[pointer++] = next();
    g_pointers[pointer] = nullptr;
    return at == run.strings_size;
}

/// Every program has pid 2 or, beside a zygote, 3: pids must not tell what earlier cases did.
void rewind_pids() {
    if (g.last_pid >= 0) call(SYS_pwrite64, g.last_pid, address(g.zygote > 0 ? "2" : "1"), 1, 0);
}

void begin_run() {
    g.cpu_base_ns = children_cpu_ns();
    g.max_rss_kib = 0;
    g.unknown_calls = 0;
    rewind_pids();
}

/// A zygote's socket: the other end is ours.
long make_zygote_socket(int& theirs) {
    int ends[2];
    if (const long n =
            call(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, address(ends));
        n < 0)
        return n;
    g.zygote_fd = move_up(ends[0]);
    theirs = move_up(ends[1]);
    return 0;
}

/// The child shares our table of descriptors until exec: what it placed is ours to close.
void close_placed() {
    for (int fd = 0; fd <= kZygoteFd; ++fd) call(SYS_close, fd);
}

void start(const Run& run, char* strings, const int* fds, int fd_count) {
    CasePlan plan;
    plan.run = &run;
    if (!take_descriptors(plan, fds, fd_count) || g.program > 0 ||
        !split_strings(run, strings, plan))
        die();
    plan.jail = &g.jail;
    plan.filter = g.filter;
    plan.own_pid_at = g.own_pid_at;
    plan.own_pid_count = g.own_pid_count;
    plan.folder = g.folder;
    plan.init_pid = call(SYS_getpid);
    if (run.kind == RequestKind::start_zygote) {
        plan.stage = Stage::zygote;
        if (g.zygote > 0) die();
        if (const long n = make_zygote_socket(plan.zygote_socket); n < 0)
            return report_failure(~0U, n);
    }
    begin_run();
    const long pid = clone_onto(CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
                                g_child_stack + sizeof g_child_stack, child_main, &plan);
    if (plan.listener >= 0) g.listener = move_up(plan.listener);
    close_placed();
    close_fd(plan.zygote_socket);
    if (pid < 0 || plan.error < 0) {
        if (pid > 0) call(SYS_wait4, pid, 0, 0, 0);  // it has ended, or is about to
        close_fd(g.listener);
        if (plan.stage == Stage::zygote) close_fd(g.zygote_fd);
        return report_failure(pid < 0 ? ~0U : plan.failed_step, pid < 0 ? pid : plan.error);
    }
    (plan.stage == Stage::zygote ? g.zygote : g.program) = pid;
    g.cpu_at_start_ns = plan.cpu_ns_at_start;
    Event event;
    event.kind = EventKind::started;
    event.time_ns = plan.time_ns_at_start;  // not now: the program may have run for a while
    send_event(event);
}

// ---- the zygote -------------------------------------------------------------------------------

void fork_zygote(const Run& run, const int* fds, int fd_count) {
    begin_run();
    const iovec parts[] = {{&g.jail, sizeof g.jail},
                           {const_cast<Run*>(&run), sizeof run},
                           {g.filter, g.jail.filter_instructions * sizeof(sock_filter)}};
    const long n = send_message(g.zygote_fd, parts, 3, fds, fd_count);
    if (n < 0) return report_failure(~0U, n);
    g.forking = true;
}

/// What its child says: it is confined and starts now, or a step failed. Its last words arrive
/// before its end does.
void hear_zygote() {
    Event event;
    int fds[kMaxMessageFds];
    int count = 0;
    const long size =
        receive_message(g.zygote_fd, {&event, sizeof event}, fds, &count, MSG_DONTWAIT);
    if (size == 0) close_fd(g.zygote_fd);  // it ended, and will be reaped
    if (size != sizeof event) return;
    g.forking = false;
    if (event.kind == EventKind::started && count == 1) {
        g.program = event.number;
        g.cpu_at_start_ns = event.cpu_ns;
        g.listener = move_up(fds[0]);
    }
    send_event(event);
}

void lose_zygote(bool was_killed, int status, const rusage& usage) {
    g.zygote = -1;
    close_fd(g.zygote_fd);
    g.cpu_base_ns += cpu_ns_of(usage);  // is in no run
    if (was_killed) return;
    Event event;
    event.kind = EventKind::zygote_lost;
    event.signaled = (status & 0x7f) != 0 ? 1 : 0;
    event.number = event.signaled != 0 ? status & 0x7f : (status >> 8) & 0xff;
    send_event(event);
}

// ---- watching it -------------------------------------------------------------------------------

/// Of a run: orphans are ours at once, so whoever is left is a child of ours or has such a parent.
bool any_process_left() {
    if (g.jail.portable == 0) return call(SYS_kill, -1, 0) == 0;
    siginfo_t ignored;
    return call(SYS_waitid, P_ALL, 0, address(&ignored), WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/// Does any process of the run live after its program? A zygote always does; beside one the
/// program's pid is the last that was given only if it started no process and no thread: pids go
/// up, and begin at 300 when they start again.
bool others_left(long program) {
    if (g.zygote < 0) return any_process_left();
    char text[16] = {};
    call(SYS_pread64, g.last_pid, address(text), sizeof text - 1, 0);
    long last = 0;
    for (const char* at = text; *at >= '0' && *at <= '9'; ++at) last = last * 10 + (*at - '0');
    return last != program;
}

std::uint64_t run_cpu_ns() {
    const std::uint64_t all = children_cpu_ns() - g.cpu_base_ns;
    return all > g.cpu_at_start_ns ? all - g.cpu_at_start_ns : 0;
}

void report_exit(long program, int status, bool others) {
    Event event;
    event.kind = EventKind::exited;
    event.signaled = (status & 0x7f) != 0 ? 1 : 0;
    event.number = event.signaled != 0 ? status & 0x7f : (status >> 8) & 0xff;
    event.others = others || others_left(program) ? 1 : 0;
    if (event.others == 0) close_fd(g.listener);
    event.cpu_ns = run_cpu_ns();
    event.max_rss_kib = g.max_rss_kib;
    send_event(event);
}

/// Whom to reap next: -1 for anyone, 0 for nobody. In portable mode the group of the program ends
/// before it is reaped, as its number is free afterwards.
long next_to_reap(int options) {
    if (g.jail.portable == 0) return -1;
    siginfo_t ended{};
    call(SYS_waitid, P_ALL, 0, address(&ended), WEXITED | WNOWAIT | options);
    if (ended.si_pid == g.program) kill_run();
    return ended.si_pid;
}

/// The zygote's child ended before it could report, for want of memory perhaps: a short run.
void adopt_silent_child(long pid) {
    g.forking = false;
    g.program = pid;
    Event event;
    event.kind = EventKind::started;
    send_event(event);
}

/// Reaps what has ended (blocking: until no child is left).
void reap(bool blocking) {
    const int options = blocking ? __WALL : __WALL | WNOHANG;
    long program = -1;
    int program_status = 0;
    bool others = false;
    for (;;) {
        int status = 0;
        rusage usage{};
        const long which = next_to_reap(options);
        if (which == 0) break;
        const long pid = call(SYS_wait4, which, address(&status), options, address(&usage));
        if (pid <= 0) break;
        if (pid == g.zygote) {
            lose_zygote(blocking, status, usage);
            continue;
        }
        if (g.forking && !blocking) hear_zygote();  // its child may have reported a moment ago
        if (g.forking && !blocking) adopt_silent_child(pid);
        const auto rss = static_cast<std::uint64_t>(usage.ru_maxrss);
        if (rss > g.max_rss_kib) g.max_rss_kib = rss;
        // Portable mode: who is reaped after the program was killed with its group.
        others = others || (g.jail.portable != 0 && program > 0);
        if (pid != g.program) continue;
        g.program = -1;
        program = pid;
        program_status = status;
    }
    if (program > 0 && !blocking) report_exit(program, program_status, others);
}

// Killed processes are reparented here and reaped until a reading finds neither child nor process.
// A zygote goes with them: sparing it would mean to name every other process.
void kill_all() {
    do {
        kill_run();
        reap(true);
    } while (any_process_left());
    g.program = -1;
    g.forking = false;
    close_fd(g.listener);  // only now: closing it would let held calls go on with ENOSYS
    Event event;
    event.kind = EventKind::emptied;
    event.cpu_ns = run_cpu_ns();
    event.max_rss_kib = g.max_rss_kib;
    send_event(event);
}

/// A call was held. Numbers that nobody can name get ENOSYS, so that newer C libraries fall back.
void answer_held_call() {
    seccomp_notif held{};
    if (call(SYS_ioctl, g.listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_RECV), address(&held)) <
        0)
        return;
    constexpr std::uint32_t kNative = 0xC000003E;  // AUDIT_ARCH_X86_64
    constexpr std::int32_t kX32Bit = 0x40000000;
    const bool unnamed =
        held.data.arch == kNative &&
        (held.data.nr < 0 || (held.data.nr > g.jail.highest_call && held.data.nr < kX32Bit));
    if (unnamed && ++g.unknown_calls <= kMaxUnknownCalls) {
        seccomp_notif_resp answer{};
        answer.id = held.id;
        answer.error = -38;  // -ENOSYS
        call(SYS_ioctl, g.listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_SEND), address(&answer));
        return;
    }
    Event event;
    event.kind = EventKind::violation;
    event.arch = held.data.arch;
    event.number = held.data.nr;
    send_event(event);  // recorded before anything is killed; the call stays held
}

// ---- requests ----------------------------------------------------------------------------------

/// One request into g_message; gives its size.
long receive(int* fds, int* count) {
    const long size = receive_message(kControlFd, {g_message, sizeof g_message}, fds, count);
    if (size <= 0) die();  // the helper is gone
    for (int i = 0; i < *count; ++i) fds[i] = move_up(fds[i]);
    return size;
}

/// Portable mode: no mounts, and the end of the helper is seen by its socket: dying with it by
/// signal would leave others behind.
void live_among_others(int folder) {
    call(SYS_prctl, PR_SET_PDEATHSIG, 0);
    if (call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1) < 0) die();
    g.folder = move_up(call(SYS_dup, folder));
    for (std::uint32_t i = 0; i < g.jail.filter_instructions; ++i) {
        const sock_filter& instruction = g.filter[i];
        if (instruction.code != (BPF_JMP | BPF_JEQ | BPF_K) ||
            instruction.k != init_wire::kOwnPidMark)
            continue;
        if (g.own_pid_count == sizeof g.own_pid_at / sizeof g.own_pid_at[0]) die();
        g.own_pid_at[g.own_pid_count++] = i;
    }
    if (g.own_pid_count == 0) die();  // programs could signal others
    Event event;
    event.kind = EventKind::ready;
    send_event(event);
}

void configure(const int* fds, int count) {
    memcpy(&g.jail, g_message, sizeof g.jail);
    const long size = static_cast<long>(g.jail.filter_instructions * sizeof(sock_filter));
    const long map = call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fds[0], 0);
    if (map < 0 && map > -4096) die();
    g.filter = reinterpret_cast<sock_filter*>(map);
    if (g.jail.portable != 0) {
        if (count != 2) die();
        return live_among_others(fds[1]);
    }
    if (count == 2)
        g.last_pid = static_cast<int>(call(SYS_fcntl, fds[1], F_DUPFD_CLOEXEC, kFirstFreeFd));
    renew_box();
}

void handle_run(long size, const int* fds, int count) {
    const Run& run = *reinterpret_cast<const Run*>(g_message);
    if (static_cast<std::size_t>(size) != sizeof(Run) + run.strings_size) die();
    if (run.kind == RequestKind::fork) return fork_zygote(run, fds, count);
    start(run, g_message + sizeof(Run), fds, count);
}

void handle_request() {
    int fds[kMaxMessageFds];
    int count = 0;
    const long size = receive(fds, &count);
    RequestKind kind{};
    memcpy(&kind, g_message, sizeof kind);
    switch (kind) {
        case RequestKind::configure:
            if (count < 1) die();
            configure(fds, count);
            break;
        case RequestKind::run:
        case RequestKind::start_zygote:
        case RequestKind::fork:
            handle_run(size, fds, count);
            break;
        case RequestKind::kill_all:
            kill_all();
            break;
        case RequestKind::reset:  // full mode only
            call(SYS_umount2, address("/box"), MNT_DETACH);
            renew_box();
            break;
    }
    for (int i = 0; i < count; ++i) call(SYS_close, fds[i]);
}

/// All of them: a signal that a program managed to send must not wait here for the next case.
void drain_signals() {
    signalfd_siginfo ignored;
    while (call(SYS_read, g.signals, address(&ignored), sizeof ignored) > 0) {
    }
}

void watch() {
    for (;;) {
        pollfd fds[4] = {{kControlFd, POLLIN, 0},
                         {g.signals, POLLIN, 0},
                         {g.listener, POLLIN, 0},
                         {g.zygote_fd, POLLIN, 0}};
        call(SYS_poll, address(fds), 4, -1);
        if (fds[3].revents != 0) hear_zygote();
        if (fds[2].revents != 0) {
            if ((fds[2].revents & POLLIN) != 0)
                answer_held_call();
            else
                close_fd(g.listener);  // nobody uses the filter any more
        }
        if ((fds[1].revents & POLLIN) != 0) {
            drain_signals();
            reap(false);
        }
        if (fds[0].revents != 0) handle_request();
    }
}

void begin() {
    call(SYS_fcntl, kControlFd, F_SETFD, FD_CLOEXEC);
    call(SYS_prctl, PR_SET_DUMPABLE, 0);
    call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    // No exec of a program can give back what is out of bounds. EINVAL: no such capability.
    for (long capability = 0; call(SYS_prctl, PR_CAPBSET_DROP, capability) >= 0; ++capability) {
    }
    // If the helper died before, its end of the socket is closed and the first read ends us.
    const std::uint64_t all = ~std::uint64_t{0};
    call(SYS_rt_sigprocmask, SIG_SETMASK, address(&all), 0, sizeof all);
    // What was ignored before us would stay so over every exec; SIGCHLD is how we reap.
    const std::uint64_t by_default[4] = {};
    for (long signal = 1; signal <= 64; ++signal)
        call(SYS_rt_sigaction, signal, address(by_default), 0, sizeof all);
    g.signals = static_cast<int>(
        call(SYS_signalfd4, -1, address(&all), sizeof all, O_CLOEXEC | O_NONBLOCK));
    g.signals = move_up(g.signals);
    watch();
}

}  // namespace
}  // namespace sandbox

extern "C" [[noreturn]] void init_main() {
    sandbox::begin();
    sandbox::sys::exit_now(1);
}

// The kernel enters with an aligned stack and no return address.
asm(".globl _start\n_start:\n xor %ebp, %ebp\n and $-16, %rsp\n call init_main\n ud2\n");

// init: pid 1 of one jail. Starts one program at a time, reaps, holds forbidden calls, empties
// /box.
//
// It is executed from an image inside the helper, without a C library, so that a jail costs one
// page or two. It trusts the helper and nothing else: it never reads memory, files or pipes that a
// program can write. It runs no program code; the program is a child that confines itself
// (case_steps.cpp) while it borrows this memory, and leaves it by exec. When the helper dies, init
// is killed with it, and with pid 1 every process of the jail.
//
// Does not decide: it reports events, and the keeper in the helper says when all must die.
#include "sandbox/helper/case_steps.hpp"
#include "sandbox/helper/init_wire.hpp"
#include "sandbox/helper/sys.hpp"

#include <cstddef>
#include <cstdint>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
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

// What the compiler may call in a program without a C library.
extern "C" {
void* memcpy(void* to, const void* from, std::size_t n) {
    auto* t = static_cast<unsigned char*>(to);
    const auto* f = static_cast<const unsigned char*>(from);
    for (std::size_t i = 0; i < n; ++i) t[i] = f[i];
    return to;
}
void* memset(void* to, int value, std::size_t n) {
    auto* t = static_cast<unsigned char*>(to);
    for (std::size_t i = 0; i < n; ++i) t[i] = static_cast<unsigned char>(value);
    return to;
}
}

namespace sandbox {
namespace {

using init_wire::Configure;
using init_wire::Event;
using init_wire::EventKind;
using init_wire::kControlFd;
using init_wire::kProgramFd;
using init_wire::RequestKind;
using init_wire::Run;
using sys::address;
using sys::call;

constexpr int kFirstFreeFd = 32;                    // descriptors that arrive are moved above this
constexpr std::uint32_t kMaxUnknownCalls = 10'000;  // answered ENOSYS; then the run ends
constexpr int kMaxFds = 5 + static_cast<int>(init_wire::kMaxCgroups);

alignas(8) char g_message[sizeof(Run) + init_wire::kMaxStrings];
alignas(16) char g_child_stack[32 * 1024];
char* g_pointers[4096];

struct Init {
    Configure jail;
    sock_filter* filter = nullptr;
    int signals = -1;
    int listener = -1;
    int ruleset = -1;
    int folder = -1;                                       // where programs start; -1: in /box
    std::uint32_t own_pid_at[16] = {}, own_pid_count = 0;  // see CasePlan
    int last_pid = -1;  // ns_last_pid of the kernel, by descriptor; -1: it has none
    std::uint32_t landlock_abi = 0;
    long program = -1;                 // pid of the program; -1: none or reaped
    std::uint64_t cpu_base_ns = 0;     // of all children before this run
    std::uint64_t cpu_at_exec_ns = 0;  // of the program before its exec
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

std::uint64_t children_cpu_ns() {
    rusage usage{};
    call(SYS_getrusage, RUSAGE_CHILDREN, address(&usage));
    return static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) *
               1'000'000'000U +
           static_cast<std::uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000U;
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
    iovec data{&event, sizeof event};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (fd >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    if (call(SYS_sendmsg, kControlFd, address(&message), MSG_NOSIGNAL) < 0) die();
}

void report_failure(std::uint32_t step, long error) {
    Event event;
    event.kind = EventKind::failed;
    event.step = step;
    event.error = static_cast<std::int32_t>(-error);
    send_event(event);
}

// ---- /box and Landlock -------------------------------------------------------------------------

void allow_beneath(int ruleset, const char* path, std::uint64_t rights) {
    const long folder = call(SYS_openat, AT_FDCWD, address(path), O_PATH | O_CLOEXEC);
    if (folder < 0) return;  // fails closed: what is not added is not allowed
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights;
    rule.parent_fd = static_cast<int>(folder);
    call(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, address(&rule), 0);
    call(SYS_close, folder);
}

// Every right and scope of the running ABI is handled, so everything not allowed here is refused.
void prepare_landlock() {
    close_fd(g.ruleset);
    const long abi =
        call(SYS_landlock_create_ruleset, 0, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return;
    constexpr std::uint64_t kTruncate = 1U << 14U,
                            kIoctlDevice = 1U << 15U;  // newer than Debian's header
    std::uint64_t all = (1U << 13U) - 1;
    if (abi >= 2) all |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) all |= kTruncate;
    if (abi >= 5) all |= kIoctlDevice;
    struct {
        std::uint64_t files, network, scopes;
    } attributes{all, abi >= 4 ? 3U : 0U, abi >= 6 ? 3U : 0U};
    const long size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    const long ruleset = call(SYS_landlock_create_ruleset, address(&attributes), size, 0);
    if (ruleset < 0) return;
    constexpr std::uint64_t kRead =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    constexpr std::uint64_t kSpecial = LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                       LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                       LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_EXECUTE;
    allow_beneath(static_cast<int>(ruleset), "/", kRead);
    allow_beneath(static_cast<int>(ruleset), "/dev/null",
                  LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE);
    allow_beneath(static_cast<int>(ruleset), "/box", all & ~(kSpecial | kIoctlDevice));
    g.ruleset = move_up(ruleset);
    g.landlock_abi = static_cast<std::uint32_t>(abi);
}

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
    const long folder =
        call(SYS_openat, AT_FDCWD, address("/box"), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return report_failure(0, folder);
    prepare_landlock();
    Event event;
    event.kind = EventKind::ready;
    event.landlock = g.landlock_abi;
    send_event(event, static_cast<int>(folder));
    call(SYS_close, folder);
}

// ---- starting a program ------------------------------------------------------------------------

/// clone(flags, stack) that calls run(argument) in the child and never returns there.
__attribute__((naked, noinline)) long clone_onto(unsigned long, void*, void (*)(void*), void*) {
    asm volatile(
        "push %r12\n"
        "push %r13\n"
        "mov %rdx, %r12\n"  // both processes keep these two across the system call
        "mov %rcx, %r13\n"
        "mov $56, %eax\n"
        "xor %edx, %edx\n"
        "xor %r10d, %r10d\n"
        "xor %r8d, %r8d\n"
        "syscall\n"
        "test %rax, %rax\n"
        "jz 1f\n"
        "pop %r13\n"
        "pop %r12\n"
        "ret\n"
        "1:\n"
        "xor %ebp, %ebp\n"
        "mov %r13, %rdi\n"
        "call *%r12\n"
        "ud2\n");
}

void child_main(void* argument) {
    confine_and_exec(*static_cast<CasePlan*>(argument));
    sys::exit_now(127);  // seen by nobody as an exit code: the plan says which step failed
}

/// Splits the strings of a run into argv and envp. False if they are not what the header says.
bool split_strings(const Run& run, char* strings, const char** path, CasePlan& plan) {
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
    if (run.by_image == 0) *path = next();
    plan.argv = g_pointers;
    for (std::uint32_t i = 0; i < run.argc; ++i) g_pointers[pointer++] = next();
    g_pointers[pointer++] = nullptr;
    plan.envp = g_pointers + pointer;
    for (std::uint32_t i = 0; i < run.envc; ++i) g_pointers[pointer++] = next();
    g_pointers[pointer] = nullptr;
    return at == run.strings_size;
}

/// Every program is pid 2: pid numbers must not tell one case what earlier ones did.
void rewind_pids() {
    if (g.last_pid >= 0) call(SYS_pwrite64, g.last_pid, address("1"), 1, 0);
}

/// The program's descriptors, at their final numbers; the child shares the table until exec.
long place_descriptors(const int* fds, const char* path, bool by_image) {
    for (int i = 0; i < 4; ++i) {
        if (const long n = call(SYS_dup3, fds[i], i, 0); n < 0) return n;
    }
    if (by_image) return call(SYS_dup3, fds[4], kProgramFd, O_CLOEXEC);
    const long file = call(SYS_openat, AT_FDCWD, address(path), O_PATH | O_CLOEXEC);
    if (file < 0) return file;
    if (file == kProgramFd) return file;
    const long n = call(SYS_dup3, file, kProgramFd, O_CLOEXEC);
    call(SYS_close, file);
    return n;
}

void start(const Run& run, char* strings, int* fds, int fd_count) {
    CasePlan plan;
    const char* path = "";
    const int expected = 4 + (run.by_image != 0 ? 1 : 0) + static_cast<int>(run.cgroups);
    if (fd_count != expected || g.program > 0 || !split_strings(run, strings, &path, plan)) die();
    if (const long n = place_descriptors(fds, path, run.by_image != 0); n < 0) {
        for (int fd = 0; fd <= kProgramFd; ++fd) call(SYS_close, fd);
        return report_failure(~0U, n);
    }
    plan.jail = &g.jail;
    plan.run = &run;
    plan.filter = g.filter;
    plan.own_pid_at = g.own_pid_at;
    plan.own_pid_count = g.own_pid_count;
    plan.folder = g.folder;
    plan.init_pid = call(SYS_getpid);
    plan.landlock_ruleset = g.ruleset;
    for (std::uint32_t i = 0; i < run.cgroups; ++i)
        plan.cgroup_procs[i] = fds[expected - static_cast<int>(run.cgroups) + static_cast<int>(i)];
    g.cpu_base_ns = children_cpu_ns();
    g.max_rss_kib = 0;
    g.unknown_calls = 0;
    rewind_pids();
    const long pid = clone_onto(CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
                                g_child_stack + sizeof g_child_stack, child_main, &plan);
    for (int fd = 0; fd <= kProgramFd; ++fd) call(SYS_close, fd);
    if (pid < 0) return report_failure(~0U, pid);
    g.listener = plan.listener;
    if (plan.error < 0) {  // it has ended, or is about to
        call(SYS_wait4, pid, 0, 0, 0);
        close_fd(g.listener);
        return report_failure(plan.failed_step, plan.error);
    }
    g.program = pid;
    g.cpu_at_exec_ns = plan.cpu_ns_at_exec;
    Event event;
    event.kind = EventKind::started;
    event.time_ns = plan.time_ns_at_exec;  // not now: the program may have run for a while
    send_event(event);
}

// ---- watching it -------------------------------------------------------------------------------

/// Of a run: orphans are ours at once, so whoever is left is a child of ours or has such a parent.
bool any_process_left() {
    if (g.jail.portable == 0) return call(SYS_kill, -1, 0) == 0;
    siginfo_t ignored;
    return call(SYS_waitid, P_ALL, 0, address(&ignored), WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

std::uint64_t run_cpu_ns() {
    const std::uint64_t all = children_cpu_ns() - g.cpu_base_ns;
    return all > g.cpu_at_exec_ns ? all - g.cpu_at_exec_ns : 0;
}

void report_exit(int status) {
    Event event;
    event.kind = EventKind::exited;
    event.signaled = (status & 0x7f) != 0 ? 1 : 0;
    event.number = event.signaled != 0 ? status & 0x7f : (status >> 8) & 0xff;
    event.others = any_process_left() ? 1 : 0;
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

/// Reaps what has ended (blocking: until no child is left).
void reap(bool blocking) {
    const int options = blocking ? __WALL : __WALL | WNOHANG;
    bool program_ended = false;
    int program_status = 0;
    for (;;) {
        int status = 0;
        rusage usage{};
        const long which = next_to_reap(options);
        if (which == 0) break;
        const long pid = call(SYS_wait4, which, address(&status), options, address(&usage));
        if (pid <= 0) break;
        const auto rss = static_cast<std::uint64_t>(usage.ru_maxrss);
        if (rss > g.max_rss_kib) g.max_rss_kib = rss;
        if (pid != g.program) continue;
        g.program = -1;
        program_ended = true;
        program_status = status;
    }
    if (program_ended && !blocking) report_exit(program_status);
}

// Killed processes are reparented here and reaped until a reading finds neither child nor process.
void kill_all() {
    do {
        kill_run();
        reap(true);
    } while (any_process_left());
    g.program = -1;
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

int receive(int* fds, long* size) {
    iovec data{g_message, sizeof g_message};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    *size = call(SYS_recvmsg, kControlFd, address(&message), MSG_CMSG_CLOEXEC);
    if (*size <= 0) die();  // the helper is gone
    int count = 0;
    cmsghdr* header = message.msg_controllen >= sizeof(cmsghdr) ? CMSG_FIRSTHDR(&message) : nullptr;
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        count = static_cast<int>((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(header), static_cast<std::size_t>(count) * sizeof(int));
    }
    for (int i = 0; i < count; ++i) fds[i] = move_up(fds[i]);
    return count;
}

/// Portable mode: no mounts, and the end of the helper is seen by its socket: dying with it by
/// signal would leave others behind.
void live_among_others(int ruleset, int folder) {
    call(SYS_prctl, PR_SET_PDEATHSIG, 0);
    if (call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1) < 0) die();
    g.ruleset = move_up(call(SYS_dup, ruleset));
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
        if (count != 3) die();
        return live_among_others(fds[1], fds[2]);
    }
    if (count == 2)
        g.last_pid = static_cast<int>(call(SYS_fcntl, fds[1], F_DUPFD_CLOEXEC, kFirstFreeFd));
    renew_box();
}

void handle_request() {
    int fds[kMaxFds];
    long size = 0;
    const int count = receive(fds, &size);
    RequestKind kind{};
    memcpy(&kind, g_message, sizeof kind);
    switch (kind) {
        case RequestKind::configure:
            if (count < 1) die();
            configure(fds, count);
            break;
        case RequestKind::run: {
            const Run& run = *reinterpret_cast<const Run*>(g_message);
            if (static_cast<std::size_t>(size) != sizeof(Run) + run.strings_size ||
                run.cgroups > init_wire::kMaxCgroups)
                die();
            start(run, g_message + sizeof(Run), fds, count);
            break;
        }
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
        pollfd fds[3] = {{kControlFd, POLLIN, 0}, {g.signals, POLLIN, 0}, {g.listener, POLLIN, 0}};
        call(SYS_poll, address(fds), 3, -1);
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
    // For every program that will be started: no exec can give back what is out of bounds. The
    // kernel says EINVAL to the first number that it does not know.
    for (long capability = 0; call(SYS_prctl, PR_CAPBSET_DROP, capability) >= 0; ++capability) {
    }
    // If the helper died before that line, its end of the socket is closed and the first read ends
    // us.
    const std::uint64_t all = ~std::uint64_t{0};
    call(SYS_rt_sigprocmask, SIG_SETMASK, address(&all), 0, sizeof all);
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

// Confinement of one program: the array kSteps is the order, read it from top to bottom.
// No step is conditional on a profile: what differs is the plan's data.
// See case_steps.hpp. Compiled into init (to run) and into the helper (for the names).
#include "sandbox/helper/case_steps.hpp"

#include "sandbox/helper/raw_socket.hpp"
#include "sandbox/helper/sys.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

namespace sandbox {

namespace {

using sys::address;
using sys::call;

constexpr long kOk = 0;

// First, so that everything after it is accounted.
long join_cgroups(CasePlan& plan) {
    for (std::uint32_t i = 0; i < plan.run->cgroups; ++i) {
        if (const long n = call(SYS_write, plan.cgroup_procs[i], address("0"), 1); n < 0) return n;
    }
    return kOk;
}

long place_descriptors(CasePlan& plan) {
    for (int i = 0; i < 4; ++i) {
        if (const long n = call(SYS_dup3, plan.streams[i], i, 0); n < 0) return n;
    }
    if (plan.zygote_socket < 0) return kOk;
    return call(SYS_dup3, plan.zygote_socket, init_wire::kZygoteFd, 0);
}

long find_program(CasePlan& plan) {
    constexpr int kNumber = init_wire::kProgramFd;
    if (plan.image >= 0) return call(SYS_dup3, plan.image, kNumber, O_CLOEXEC);
    const long file = call(SYS_openat, AT_FDCWD, address(plan.path), O_PATH | O_CLOEXEC);
    if (file < 0 || file == kNumber) return file;
    const long n = call(SYS_dup3, file, kNumber, O_CLOEXEC);
    call(SYS_close, file);
    return n;
}

// No controlling terminal, no process group shared with anyone.
long leave_session(CasePlan&) {
    return call(SYS_setsid) < 0 ? -1 : kOk;
}

long enter_box(CasePlan& plan) {
    call(SYS_umask, 022);
    return plan.folder >= 0 ? call(SYS_fchdir, plan.folder) : call(SYS_chdir, address("/box"));
}

/// Where the host's own limit is lower and we may not raise it, it stays.
long limit(int resource, std::uint64_t value) {
    rlimit both{value, value};
    const long n = call(SYS_prlimit64, 0, resource, address(&both), 0);
    if (n != -1 /* EPERM */) return n;
    if (const long got = call(SYS_prlimit64, 0, resource, 0, address(&both)); got < 0) return got;
    both.rlim_cur = both.rlim_max;
    return call(SYS_prlimit64, 0, resource, address(&both), 0);
}

long set_rlimits(CasePlan& plan) {
    const init_wire::Run& run = *plan.run;
    struct Row {
        int resource;
        std::uint64_t value;
        bool wanted;
    };
    const Row rows[] = {
        // 1, not 0: with 0 the kernel still starts a core handler of the host that reads from a
        // pipe.
        {RLIMIT_CORE, 1, true},
        {RLIMIT_MEMLOCK, 0, true},  // locked pages escape reclaim
        {RLIMIT_MSGQUEUE, 0, true},
        {RLIMIT_SIGPENDING, 64, true},
        {RLIMIT_FSIZE, run.file_bytes, true},
        {RLIMIT_NOFILE, run.open_files, true},
        {RLIMIT_STACK, run.stack_bytes,
         true},  // as large as memory: recursion is limited by memory
        {RLIMIT_CPU, run.cpu_seconds, true},
        {RLIMIT_NPROC, run.processes, run.processes != 0},
        {RLIMIT_DATA, run.data_bytes,
         run.data_bytes != 0},  // never RLIMIT_AS: reservations are free
    };
    for (const Row& row : rows) {
        if (!row.wanted) continue;
        if (const long n = limit(row.resource, row.value); n < 0) return n;
    }
    return kOk;
}

long drop_ids(CasePlan& plan) {
    if (plan.jail->change_ids == 0) return kOk;  // a user namespace maps one id only
    const long gid = plan.jail->gid;
    const long uid = plan.jail->uid;
    if (const long n = call(SYS_setgroups, 0, 0); n < 0) return n;
    if (const long n = call(SYS_setresgid, gid, gid, gid); n < 0) return n;
    return call(SYS_setresuid, uid, uid, uid);
}

long drop_capabilities(CasePlan&) {
    call(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);
    struct {
        std::uint32_t version = 0x20080522;  // _LINUX_CAPABILITY_VERSION_3
        int pid = 0;
    } header;
    const std::uint32_t none[6] = {};
    return call(SYS_capset, address(&header), address(none));
}

// In a pid namespace nobody outlives init anyway. After the ids: changing them undoes it.
long die_with_init(CasePlan& plan) {
    if (const long n = call(SYS_prctl, PR_SET_PDEATHSIG, 9 /* SIGKILL */); n < 0) return n;
    return call(SYS_getppid) == plan.init_pid ? kOk : -3 /* ESRCH */;
}

long forbid_new_privileges(CasePlan&) {
    return call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// init blocks signals for itself; the program starts with none blocked.
long unblock_signals(CasePlan&) {
    const std::uint64_t none = 0;
    return call(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, address(&none), 0, sizeof none);
}

long restrict_files(CasePlan& plan) {
    if (plan.landlock_ruleset < 0) return kOk;  // reported as absent, not fatal
    return call(SYS_landlock_restrict_self, plan.landlock_ruleset, 0);
}

std::uint64_t clock_ns(long clock) {
    timespec now{};
    call(SYS_clock_gettime, clock, address(&now));
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

// Time of the run starts here: what came before was our work.
long note_clocks(CasePlan& plan) {
    plan.cpu_ns_at_start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    plan.time_ns_at_start = clock_ns(CLOCK_MONOTONIC);
    return kOk;
}

// The table of descriptors is shared with init until exec, so the listener is init's at once.
long load_filter(CasePlan& plan) {
    const auto pid = static_cast<std::uint32_t>(call(SYS_getpid));
    for (std::uint32_t i = 0; i < plan.own_pid_count; ++i) plan.filter[plan.own_pid_at[i]].k = pid;
    const sock_fprog program{static_cast<unsigned short>(plan.jail->filter_instructions),
                             plan.filter};
    const bool hold = plan.jail->hold_calls != 0;
    const long fd = call(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                         hold ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0UL, address(&program));
    if (fd < 0) return fd;
    if (hold) plan.listener = static_cast<int>(fd);
    return kOk;
}

// A zygote's child shares no table of descriptors with init: it sends the listener, then has
// nothing left but its streams. The one socket it ever had is closed before it reads a submission.
long report_to_init(CasePlan& plan) {
    init_wire::Event event;
    event.kind = init_wire::EventKind::started;
    event.number = static_cast<std::int32_t>(call(SYS_getpid));
    event.time_ns = plan.time_ns_at_start;
    event.cpu_ns = plan.cpu_ns_at_start;
    const iovec part{&event, sizeof event};
    if (const long n = send_message(init_wire::kZygoteFd, &part, 1, &plan.listener, 1); n < 0)
        return n;
    return call(SYS_close_range, 4, ~0U, 0);
}

long execute(CasePlan& plan) {
    constexpr long kEmptyPath = 0x1000;  // AT_EMPTY_PATH
    return call(SYS_execveat, init_wire::kProgramFd, address(""), address(plan.argv),
                address(plan.envp), kEmptyPath);
}

constexpr unsigned kProgram = static_cast<unsigned>(Stage::program),
                   kZygote = static_cast<unsigned>(Stage::zygote),
                   kChild = static_cast<unsigned>(Stage::child), kAll = kProgram | kZygote | kChild;

struct Step {
    const char* name;
    long (*run)(CasePlan&);
    unsigned stages;  // a zygote runs no submission; what it did, its children need not do again
};

constexpr Step kSteps[] = {
    {"join cgroups", join_cgroups, kProgram | kChild},
    {"leave the session", leave_session, kAll},
    {"place the descriptors", place_descriptors, kAll},
    {"find the program", find_program, kProgram | kZygote},
    {"enter /box", enter_box, kProgram | kChild},
    {"set rlimits", set_rlimits, kProgram | kChild},
    {"drop ids", drop_ids, kProgram | kZygote},
    {"drop capabilities", drop_capabilities, kProgram | kZygote},
    {"die with init", die_with_init, kProgram},
    {"forbid new privileges", forbid_new_privileges, kProgram | kZygote},
    {"unblock signals", unblock_signals, kProgram | kZygote},
    {"restrict files by Landlock", restrict_files, kProgram | kChild},
    {"note the clocks", note_clocks, kProgram | kChild},
    {"load the system-call filter", load_filter, kProgram | kChild},
    {"report to init", report_to_init, kChild},
    {"execute the program", execute, kProgram | kZygote},
};
constexpr std::uint32_t kStepCount = sizeof kSteps / sizeof kSteps[0];

}  // namespace

bool take_descriptors(CasePlan& plan, const int* fds, int count) {
    const init_wire::Run& run = *plan.run;
    const std::uint32_t expected = 4 + run.ruleset + run.by_image + run.cgroups;
    if (run.ruleset > 1 || run.by_image > 1 || run.cgroups > init_wire::kMaxCgroups ||
        static_cast<std::uint32_t>(count) != expected)
        return false;
    for (int& stream : plan.streams) stream = *fds++;
    if (run.ruleset != 0) plan.landlock_ruleset = *fds++;
    if (run.by_image != 0) plan.image = *fds++;
    for (std::uint32_t i = 0; i < run.cgroups; ++i) plan.cgroup_procs[i] = *fds++;
    return true;
}

void confine(CasePlan& plan) {
    for (std::uint32_t i = 0; i < kStepCount; ++i) {
        if ((kSteps[i].stages & static_cast<unsigned>(plan.stage)) == 0) continue;
        plan.failed_step = i;
        plan.error = kSteps[i].run(plan);
        if (plan.error < 0) return;
    }
}

bool is_exec_step(std::uint32_t index) {
    return index == kStepCount - 1;
}

const char* case_step_name(std::uint32_t index) {
    return index < kStepCount ? kSteps[index].name : "unknown step";
}

}  // namespace sandbox

// Meaning and remedy of every finding but those of control groups.
// Pure.
// See explain.hpp.
#include "sandbox/doctor/explain.hpp"

#include "sandbox/doctor/remedy.hpp"
#include "sandbox/hierarchy.hpp"

#include <cerrno>
#include <string>

#include <sched.h>

namespace sandbox::doctor {

namespace {

constexpr const char* kHost = "host";
constexpr const char* kNamespaces = "namespaces";
constexpr const char* kMounts = "mounts";
constexpr const char* kCalls = "system calls";
constexpr const char* kNeeded = "without it there is no full mode";

/// A mechanism that full mode cannot do without.
Finding needed(std::string area, std::string name, const Tried& tried, std::string meaning,
               const HostTexts& host) {
    if (tried.works())
        return {std::move(area), std::move(name), State::ok, "works", std::move(meaning), ""};
    return {std::move(area),  std::move(name), State::missing,
            answer_of(tried), kNeeded,         remedy_for(tried, host)};
}

}  // namespace

Finding explain_machine(const HostTexts& host) {
    if (host.machine == "x86_64")
        return {kHost,
                "architecture",
                State::ok,
                host.machine,
                "the filters name calls of this architecture",
                ""};
    return {kHost,
            "architecture",
            State::missing,
            host.machine,
            "the filters name calls of x86-64 only",
            "run on an x86-64 host"};
}

Finding explain_kernel(const HostTexts& host) {
    if (kernel_at_least(host.release, 5, 14))
        return {
            kHost, "kernel", State::ok, host.release, "has every call that the jail is built on",
            ""};
    return {kHost,
            "kernel",
            State::missing,
            host.release,
            "older than 5.14: calls that the jail is built on are absent",
            "boot Linux 5.14 or newer (Debian 12 has 6.1, Ubuntu 22.04 has 5.15)"};
}

Finding explain_wsl(const HostTexts& host) {
    switch (wsl(host)) {
        case Wsl::no:
            return {kHost, "WSL", State::ok, "no", "nothing of Windows is in between", ""};
        case Wsl::two:
            return {kHost,
                    "WSL",
                    State::ok,
                    "version 2",
                    "a Linux kernel of its own; keep tasks and results on its disk, not on /mnt/c",
                    ""};
        case Wsl::one:
            return {kHost,
                    "WSL",
                    State::missing,
                    "version 1",
                    "no Linux kernel: no namespaces and no filters",
                    "in Windows: wsl --set-version DISTRIBUTION 2"};
    }
    return {};
}

Finding explain_proc(bool is_proc, const HostTexts& host) {
    if (!is_proc)
        return {kHost,
                "/proc",
                State::missing,
                "not mounted",
                "perfjudge cannot find its own parts, map ids or sum up processes",
                "mount -t proc proc /proc"};
    const std::string options = mount_options(host.mountinfo, "/proc");
    for (const char* hidden : {"hidepid=1", "hidepid=2", "hidepid=noaccess", "hidepid=invisible",
                               "hidepid=4", "hidepid=ptraceable"}) {
        if (lists(options, hidden) && !host.as_root)
            return {kHost,
                    "/proc",
                    State::limited,
                    hidden,
                    "sums over /proc, where control groups are absent, may miss processes",
                    "mount -o remount,hidepid=0 /proc, or run as root"};
    }
    return {
        kHost, "/proc", State::ok, "visible", "processes can be summed up where groups are absent",
        ""};
}

Finding explain_core_pattern(const HostTexts& host) {
    const bool pipe = host.core_pattern.starts_with("|");
    return {kHost,
            "core handler",
            State::ok,
            pipe ? "a program: " + host.core_pattern : "a file: " + host.core_pattern,
            "programs in a jail never start it: RLIMIT_CORE is 1",
            ""};
}

Finding explain_user_namespace(const Tried& tried, const HostTexts& host) {
    if (tried.works())
        return {kNamespaces,
                "user namespace",
                State::ok,
                "works",
                host.as_root ? "root does not need it; ordinary users can grade here"
                             : "an ordinary user has jails without becoming root",
                ""};
    Finding finding{kNamespaces,      "user namespace", State::missing,
                    answer_of(tried), kNeeded,          user_namespace_remedy(tried, host)};
    if (host.as_root) {
        finding.state = State::limited;
        finding.meaning = "root does not need it; ordinary users cannot grade in full mode here";
    }
    return finding;
}

Finding explain_jail_id(const Tried& tried, const HostTexts& host) {
    constexpr const char* kName = "jail ids";
    if (tried.works())
        return {kNamespaces,
                kName,
                State::ok,
                host.as_root ? "works" : "one is mapped",
                "a program owns no file and no other process",
                ""};
    Finding finding{kNamespaces,      kName,   State::missing,
                    answer_of(tried), kNeeded, remedy_for(tried, host)};
    if (tried.error == EINVAL)
        finding.remedy =
            "root of a user namespace has few ids (rootless containers): run perfjudge in it as an "
            "ordinary user, or outside it";
    return finding;
}

const std::vector<NamespaceRow>& namespace_rows() {
    static const std::vector<NamespaceRow> kRows{
        {"mount", CLONE_NEWNS, "a program sees what its view shows and nothing else"},
        {"pid", CLONE_NEWPID, "no process outlives its run or is seen by another"},
        {"network", CLONE_NEWNET, "no network, no loopback, no abstract sockets of the host"},
        {"ipc", CLONE_NEWIPC, "no queues or shared memory of the host"},
        {"uts", CLONE_NEWUTS, "the host's name stays unknown"},
        {"cgroup", CLONE_NEWCGROUP, "the host's control groups stay unknown"},
    };
    return kRows;
}

Finding explain_namespace(const NamespaceRow& row, const Tried& tried, const HostTexts& host) {
    return needed(kNamespaces, std::string(row.name) + " namespace", tried, row.meaning, host);
}

Finding explain_pid_counter(const Tried& tried, const HostTexts& host) {
    if (tried.works())
        return {
            kNamespaces, "pid counter", State::ok, "works", "pids start again at 2 for every case",
            ""};
    return {kNamespaces,
            "pid counter",
            State::limited,
            answer_of(tried),
            "pids go on from case to case: a submission can count its earlier cases",
            tried.error == ENOENT ? "a kernel with CONFIG_CHECKPOINT_RESTORE has ns_last_pid"
                                  : remedy_for(tried, host)};
}

Finding explain_private_mounts(const Tried& tried, const HostTexts& host) {
    Finding finding =
        needed(kMounts, "/ is a mount point", tried, "mounts of a jail stay in the jail", host);
    if (!tried.works() && (tried.error == EINVAL || in_chroot(host))) {
        finding.found = "no: perfjudge runs in a chroot";
        finding.remedy = "mount --bind NEWROOT NEWROOT before chroot NEWROOT, or use a container";
    }
    return finding;
}

Finding explain_tmpfs(const Tried& tried, const HostTexts& host) {
    return needed(kMounts, "tmpfs", tried, "/box is private, and its bytes and files have caps",
                  host);
}

Finding explain_mount_calls(const Tried& tried, const HostTexts& host) {
    return needed(kMounts, "new mount calls", tried,
                  "read-only views: open_tree, move_mount, mount_setattr and pivot_root work",
                  host);
}

Finding explain_filter(const Tried& tried, const HostTexts& host) {
    Finding finding = needed(kCalls, "seccomp filter", tried,
                             "system calls outside the allow-list end the run", host);
    if (tried.works()) return finding;
    finding.meaning = "without it there is no mode at all: hostile code would be free";
    if (tried.error == EINVAL || tried.error == ENOSYS)
        finding.remedy = "a kernel with CONFIG_SECCOMP_FILTER; gVisor and WSL version 1 have none";
    return finding;
}

Finding explain_notification(const Tried& tried, const HostTexts& host) {
    Finding finding = needed(kCalls, "seccomp notification", tried,
                             "a forbidden call is named in the report", host);
    if (tried.error == EBUSY)
        finding.remedy =
            "somebody listens to this process already: start perfjudge outside the "
            "container or tool whose filter notifies";
    return finding;
}

Finding explain_landlock(const LandlockTried& tried) {
    constexpr const char* kName = "Landlock";
    if (tried.abi == 0)
        return {kCalls,
                kName,
                State::limited,
                "none: " + error_text(tried.error),
                "full mode keeps its views and ids, without this second lock; no portable mode",
                tried.error == EOPNOTSUPP
                    ? "boot with lsm=landlock,... in front of the other modules"
                    : "a kernel with CONFIG_SECURITY_LANDLOCK"};
    if (!tried.restricts.works())
        return {kCalls,
                kName,
                State::limited,
                answer_of(tried.restricts),
                "full mode keeps its views and ids, without this second lock; no portable mode",
                "see dmesg: a filter or a module in between refuses landlock_restrict_self"};
    struct Level {
        int abi;
        const char* adds;
    };
    // What a host lacks, the newest first, is the tail of this list.
    constexpr Level kLevels[] = {{2, "moves between folders"},
                                 {3, "truncation"},
                                 {4, "TCP ports"},
                                 {5, "calls to devices"},
                                 {6, "signals and abstract sockets"}};
    std::string lacks;
    for (const Level& level : kLevels) {
        if (tried.abi < level.abi) lacks += (lacks.empty() ? "" : ", ") + std::string(level.adds);
    }
    const std::string found = "ABI " + std::to_string(tried.abi);
    if (lacks.empty())
        return {kCalls, kName, State::ok, found, "a second lock behind the views, all rights known",
                ""};
    return {kCalls,
            kName,
            State::limited,
            found + ", lacks: " + lacks,
            "full mode loses nothing: namespaces and filter forbid these as well; portable mode "
            "does",
            "a newer kernel: 6.12 has ABI 6"};
}

Finding explain_executable_memory(const Tried& tried, const HostTexts& host) {
    if (tried.works())
        return {kCalls,
                "programs in memory",
                State::ok,
                "works",
                "programs are handed over by descriptor",
                ""};
    const bool forbidden = is_number(host.memfd_noexec, 2);
    return {kCalls,
            "programs in memory",
            State::missing,
            answer_of(tried),
            kNeeded,
            forbidden ? "sysctl vm.memfd_noexec=1 (it is 2: no memory file may be executed)"
                      : remedy_for(tried, host)};
}

}  // namespace sandbox::doctor

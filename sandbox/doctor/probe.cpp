// The child, its answer, and the probes of namespaces.
// Nothing of a probe outlives its child.
// See probe.hpp.
#include "sandbox/doctor/probe.hpp"

#include "sandbox/kernel_file.hpp"
#include "sandbox/unique_fd.hpp"

#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox::doctor {

namespace {

struct Answer {
    int step = 0, error = 0;
};

/// A fork with new namespaces; the C library has no name for it.
pid_t fork_with(int flags) {
    return static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
}

[[noreturn]] void run_steps(const std::vector<Step>& steps, int answer_fd) {
    Answer answer;
    for (const Step& step : steps) {
        answer.error = step.run();
        if (answer.error != 0) break;
        ++answer.step;
    }
    (void)!::write(answer_fd, &answer, sizeof answer);
    ::_exit(0);
}

int map_own_ids(uid_t uid, gid_t gid) {
    constexpr const char* kInside = "65533 ";  // as the helper calls an ordinary user inside
    if (const int n = put_text("/proc/self/setgroups", "deny"); n != 0) return n;
    if (const int n = put_text("/proc/self/uid_map", kInside + std::to_string(uid) + " 1"); n != 0)
        return n;
    return put_text("/proc/self/gid_map", kInside + std::to_string(gid) + " 1");
}

std::vector<Step> user_namespace_steps() {
    const uid_t uid = ::geteuid();
    const gid_t gid = ::getegid();
    return {{"create", [] { return result_of(::unshare(CLONE_NEWUSER)); }},
            {"map ids", [uid, gid] { return map_own_ids(uid, gid); }}};
}

/// Pid 1 of a new namespace says that its child shall be 42.
int next_pid_is_ours(int file) {
    if (::pwrite(file, "41", 2, 0) != 2) return errno;
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    if (child < 0) return errno;
    (void)::waitpid(child, nullptr, 0);
    return child == 42 ? 0 : EINVAL;
}

}  // namespace

int result_of(long returned) {
    return returned < 0 ? errno : 0;
}

Tried try_in_child(const std::vector<Step>& steps, int clone_flags) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {errno, "pipe"};
    const UniqueFd from(ends[0]);
    UniqueFd to(ends[1]);
    const pid_t child = fork_with(clone_flags);
    if (child < 0) return {errno, "clone"};
    if (child == 0) run_steps(steps, to.get());
    to.reset();
    Answer answer;
    const bool answered = ::read(from.get(), &answer, sizeof answer) == sizeof answer;
    (void)::waitpid(child, nullptr, 0);
    if (!answered) return {-1, steps.empty() ? "" : steps.back().name};
    if (answer.error == 0) return {};
    return {answer.error, steps[static_cast<std::size_t>(answer.step)].name};
}

std::vector<Step> as_the_helper(std::vector<Step> then) {
    std::vector<Step> steps;
    if (::geteuid() != 0) steps = user_namespace_steps();
    for (Step& step : then) steps.push_back(std::move(step));
    return steps;
}

Tried try_user_namespace() {
    auto steps = user_namespace_steps();
    // A security module may let it be made and then refuse everything in it.
    steps.push_back({"use", [] { return result_of(::unshare(CLONE_NEWNS)); }});
    return try_in_child(steps);
}

Tried try_mount_namespace() {
    return try_in_child(
        as_the_helper({{"unshare", [] { return result_of(::unshare(CLONE_NEWNS)); }}}));
}

Tried try_namespace(int clone_flag) {
    return try_in_child(as_the_helper({{"clone", [clone_flag] {
                                            const pid_t child = fork_with(clone_flag);
                                            if (child == 0) ::_exit(0);
                                            if (child < 0) return errno;
                                            (void)::waitpid(child, nullptr, 0);
                                            return 0;
                                        }}}));
}

Tried try_jail_id() {
    if (::geteuid() != 0) return {};  // our own id is mapped inside: try_user_namespace()
    constexpr uid_t kFirstJailUid = 0x70000000;  // as the helper has it
    return try_in_child({{"take", [] {
                              const uid_t uid = kFirstJailUid + static_cast<uid_t>(::getpid());
                              return result_of(::syscall(SYS_setresuid, uid, uid, uid));
                          }}});
}

Tried try_pid_counter() {
    const UniqueFd file(::open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return {errno, "open"};
    const int fd = file.get();
    return try_in_child(as_the_helper({{"set", [fd] {
                                            const pid_t first = fork_with(CLONE_NEWPID);
                                            if (first == 0) ::_exit(next_pid_is_ours(fd));
                                            if (first < 0) return errno;
                                            int status = 0;
                                            (void)::waitpid(first, &status, 0);
                                            return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
                                        }}}));
}

}  // namespace sandbox::doctor

// Probes of filters, their notifications, Landlock, and programs in memory.
// Confines only the child that tries it.
// See probe.hpp.
#include "sandbox/doctor/probe.hpp"
#include "sandbox/kernel_file.hpp"
#include "sandbox/unique_fd.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox::doctor {

namespace {

constexpr int kPatienceMs = 5000;
constexpr long kToken = 4711;  // no parent's pid that matters: the answer of a listener

/// What the filter does with getppid; every other call runs.
int load_filter(unsigned flags, unsigned action) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{sizeof code / sizeof code[0], code};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

int refused_by_filter() {
    if (load_filter(0, SECCOMP_RET_ERRNO | EDOM) < 0) return errno;
    return ::syscall(SYS_getppid) == -1 && errno == EDOM ? 0 : EINVAL;
}

/// Answers the one call that is held.
int answer(int listener) {
    pollfd state{listener, POLLIN, 0};
    if (::poll(&state, 1, kPatienceMs) != 1) return ETIMEDOUT;
    seccomp_notif held{};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &held) != 0) return errno;
    seccomp_notif_resp response{};
    response.id = held.id;
    response.val = kToken;
    return result_of(::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response));
}

int notified() {
    const UniqueFd listener(load_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_RET_USER_NOTIF));
    if (!listener.valid()) return errno;
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) ::_exit(::syscall(SYS_getppid) == kToken ? 0 : 1);
    const int answered = answer(listener.get());
    if (answered != 0) (void)::kill(child, SIGKILL);
    int status = 0;
    (void)::waitpid(child, &status, 0);
    if (answered != 0) return answered;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EINVAL;
}

int restricted() {
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_READ_FILE;
    const UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes,
                                                      sizeof attributes.handled_access_fs, 0)));
    if (!ruleset.valid()) return errno;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return errno;
    const UniqueFd root(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return !root.valid() && errno == EACCES ? 0 : EINVAL;
}

/// A memory file as the library makes them; 0x10 is MFD_EXEC of newer kernels.
UniqueFd memory_file(const std::string& bytes) {
    UniqueFd file(::memfd_create("probe", MFD_CLOEXEC | 0x10U));
    if (!file.valid() && errno == EINVAL) file.reset(::memfd_create("probe", MFD_CLOEXEC));
    if (file.valid() &&
        ::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        file.reset();
    return file;
}

/// Runs a copy of /bin/true from memory.
int run_from_memory() {
    const UniqueFd file = memory_file(text_of("/bin/true"));
    if (!file.valid()) return errno;
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) {
        char name[] = "true";
        char* const argv[] = {name, nullptr};
        char* const envp[] = {nullptr};
        (void)::syscall(SYS_execveat, file.get(), "", argv, envp, AT_EMPTY_PATH);
        ::_exit(errno);
    }
    int status = 0;
    (void)::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

}  // namespace

Tried try_filter() {
    return try_in_child({{"load", refused_by_filter}});
}

Tried try_notification() {
    return try_in_child({{"listen", notified}});
}

Tried try_executable_memory() {
    return try_in_child({{"execute", run_from_memory}});
}

LandlockTried try_landlock() {
    LandlockTried tried;
    const long abi =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi <= 0) {
        tried.error = errno;
        return tried;
    }
    tried.abi = static_cast<int>(abi);
    tried.restricts = try_in_child({{"restrict", restricted}});
    return tried;
}

}  // namespace sandbox::doctor

// From clone to init: the array kSteps is the order, read it from top to bottom.
// The child borrows the helper's memory (vfork-style), so it allocates nothing and uses raw calls
// only. See jail_steps.hpp.
#include "sandbox/helper/jail_steps.hpp"

#include "sandbox/helper/init_wire.hpp"
#include "sandbox/helper/sys.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/prctl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Made by the build from the program init (see meson.build beside this file).
extern const unsigned char init_image_begin[];
extern const unsigned char init_image_end[];

namespace sandbox {

namespace {

using sys::address;
using sys::call;

constexpr long kOk = 0;
constexpr std::size_t kStackSize = 32UL * 1024UL;
alignas(16) char g_stack[kStackSize];
int g_init_image = -1;

struct JailPlan {
    const char* root = nullptr;  // of the profile, in the helper's world
    int control = -1;
    bool as_root = false;
    bool portable = false;
    std::uint32_t failed_step = 0;
    long error = 0;
};

long pivot_into_view(JailPlan& plan) {
    if (const long n = call(SYS_chdir, address(plan.root)); n < 0) return n;
    if (const long n = call(SYS_pivot_root, address("."), address(".")); n < 0) return n;
    if (const long n = call(SYS_umount2, address("."), MNT_DETACH); n < 0) return n;
    return call(SYS_chdir, address("/"));
}

long name_host(JailPlan&) {
    if (const long n = call(SYS_sethostname, address("jail"), 4); n < 0) return n;
    return call(SYS_setdomainname, address(""), 0);
}

// A session keyring of its own; hosts without keyrings have nothing to share.
long leave_keyring(JailPlan&) {
    call(SYS_keyctl, 1 /* KEYCTL_JOIN_SESSION_KEYRING */, 0);
    return kOk;
}

// exec takes capabilities from everyone but root; init needs them to mount /box again.
long keep_capabilities(JailPlan& plan) {
    if (plan.as_root) return kOk;
    struct {
        std::uint32_t version = _LINUX_CAPABILITY_VERSION_3;
        int pid = 0;
    } header;
    std::uint32_t data[6] = {};  // effective, permitted, inheritable, twice
    if (const long n = call(SYS_capget, address(&header), address(data)); n < 0) return n;
    data[2] = data[1];
    data[5] = data[4];
    if (const long n = call(SYS_capset, address(&header), address(data)); n < 0) return n;
    for (const long capability : {CAP_SYS_ADMIN, CAP_SETPCAP, CAP_KILL, CAP_DAC_OVERRIDE}) {
        if (const long n = call(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
            n < 0)
            return n;
    }
    return kOk;
}

long keep_one_descriptor(JailPlan& plan) {
    if (const long n = call(SYS_close_range, 0, ~0U, CLOSE_RANGE_CLOEXEC); n < 0) return n;
    if (plan.control == init_wire::kControlFd) return call(SYS_fcntl, plan.control, F_SETFD, 0);
    return call(SYS_dup3, plan.control, init_wire::kControlFd, 0) < 0 ? -EBADF : kOk;
}

long execute_init(JailPlan&) {
    const char* const argv[] = {"init", nullptr};
    const char* const envp[] = {nullptr};
    return call(SYS_execveat, g_init_image, address(""), address(argv), address(envp),
                AT_EMPTY_PATH);
}

struct Step {
    const char* name;
    long (*run)(JailPlan&);
    bool portable;  // both modes, or only in namespaces
};

constexpr Step kSteps[] = {
    {"pivot into the view", pivot_into_view, false},
    {"name the host", name_host, false},
    {"leave the keyring", leave_keyring, true},
    {"keep capabilities for init", keep_capabilities, false},
    {"keep one descriptor", keep_one_descriptor, true},
    {"execute init", execute_init, true},
};

int run_steps(void* argument) {
    JailPlan& plan = *static_cast<JailPlan*>(argument);
    for (std::uint32_t i = 0; i < sizeof kSteps / sizeof kSteps[0]; ++i) {
        if (plan.portable && !kSteps[i].portable) continue;
        plan.failed_step = i;
        plan.error = kSteps[i].run(plan);
        if (plan.error < 0) break;
    }
    sys::exit_now(127);
}

Error failed(const std::string& what, int number) {
    return {Error::Code::setup_failed, number,
            "cannot make a jail: " + what + ": " +
                std::strerror(number)};  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

Result<void> prepare_init_image() {
    constexpr unsigned kExecutable =
        0x10;  // MFD_EXEC, for hosts where memfds are not executable otherwise
    int fd = ::memfd_create("init", MFD_CLOEXEC | MFD_ALLOW_SEALING | kExecutable);
    if (fd < 0 && errno == EINVAL) fd = ::memfd_create("init", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const auto size = init_image_end - init_image_begin;
    if (fd < 0 || ::write(fd, init_image_begin, static_cast<std::size_t>(size)) != size)
        return tl::unexpected(failed("image of init", errno));
    (void)::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    // Out of the way of the number that init's socket gets.
    g_init_image = ::fcntl(fd, F_DUPFD_CLOEXEC, init_wire::kControlFd + 1);
    (void)::close(fd);
    return {};
}

Result<InitProcess> start_init(Profile profile, const World& world) {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return tl::unexpected(failed("socket", errno));
    const UniqueFd theirs(sockets[1]);
    const std::string root = "/" + std::string(name(profile));
    const bool portable = world.mode == Mode::portable;
    JailPlan plan{root.c_str(), theirs.get(), world.as_root, portable};
    int pidfd = -1;
    constexpr int kNamespaces =
        CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    const int pid =
        ::clone(run_steps, g_stack + kStackSize,
                CLONE_VM | CLONE_VFORK | CLONE_PIDFD | (portable ? 0 : kNamespaces) | SIGCHLD,
                &plan, &pidfd);
    InitProcess init{UniqueFd(pid > 0 ? pidfd : -1), UniqueFd(sockets[0]), pid};
    if (pid < 0) return tl::unexpected(failed("clone with new namespaces", errno));
    if (plan.error < 0) {
        (void)::waitpid(pid, nullptr, __WALL);
        return tl::unexpected(failed(kSteps[plan.failed_step].name, static_cast<int>(-plan.error)));
    }
    return init;
}

}  // namespace sandbox

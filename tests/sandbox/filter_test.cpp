// Tests of compiled filters: what the kernel would decide, by a small interpreter of its programs.
// Loads no filter.
// Run in suite unit.
#include "sandbox/helper/filter.hpp"

#include "sandbox/helper/init_wire.hpp"
#include "sandbox/policy.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

using sandbox::Mode;
using sandbox::Profile;
using sandbox::Unlisted;

namespace {

constexpr std::uint32_t kPid = 4711;
constexpr std::uint64_t kHighBits = std::uint64_t{1} << 32U;

struct Call {
    long number = 0;
    std::array<std::uint64_t, 6> arguments{};
    std::uint32_t arch = AUDIT_ARCH_X86_64;
};

class Loaded {
  public:
    Loaded(Profile profile, Mode mode, Unlisted unlisted = Unlisted::held) {
        auto filter = sandbox::compile(sandbox::policy_of(profile, mode), unlisted);
        REQUIRE(filter.has_value());
        highest_ = filter->highest_call;
        program_.resize(filter->instructions);
        const auto size = static_cast<ssize_t>(program_.size() * sizeof(sock_filter));
        REQUIRE(::pread(filter->program.get(), program_.data(), static_cast<std::size_t>(size),
                        0) == size);
        for (sock_filter& one : program_) {
            if (one.code != (BPF_JMP | BPF_JEQ | BPF_K) || one.k != sandbox::init_wire::kOwnPidMark)
                continue;
            one.k = kPid;
            ++own_pids_;
        }
    }
    [[nodiscard]] int own_pids() const { return own_pids_; }
    [[nodiscard]] std::int32_t highest() const { return highest_; }

    /// The filter's answer, as in linux/seccomp.h.
    [[nodiscard]] std::uint32_t operator()(const Call& call) const {
        seccomp_data data{};
        data.nr = static_cast<int>(call.number);
        data.arch = call.arch;
        std::memcpy(data.args, call.arguments.data(), sizeof data.args);
        std::uint32_t a = 0;
        for (std::size_t at = 0; at < program_.size(); ++at) {
            const sock_filter& one = program_[at];
            bool yes = false;
            switch (one.code) {
                case BPF_LD | BPF_W | BPF_ABS:
                    REQUIRE(one.k + sizeof a <= sizeof data);
                    std::memcpy(&a, reinterpret_cast<const char*>(&data) + one.k, sizeof a);
                    continue;
                case BPF_ALU | BPF_AND | BPF_K:
                    a &= one.k;
                    continue;
                case BPF_RET | BPF_K:
                    return one.k;
                case BPF_JMP | BPF_JA:
                    at += one.k;
                    continue;
                case BPF_JMP | BPF_JEQ | BPF_K:
                    yes = a == one.k;
                    break;
                case BPF_JMP | BPF_JGT | BPF_K:
                    yes = a > one.k;
                    break;
                case BPF_JMP | BPF_JGE | BPF_K:
                    yes = a >= one.k;
                    break;
                default:
                    FAIL("an instruction that libseccomp does not make");
            }
            at += yes ? one.jt : one.jf;
        }
        FAIL("the program has no end");
        return 0;
    }

  private:
    std::vector<sock_filter> program_;
    std::int32_t highest_ = 0;
    int own_pids_ = 0;
};

constexpr std::uint32_t refused(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

}  // namespace

TEST_CASE("filter: portable programs signal themselves and nobody else") {
    for (const Profile profile :
         {Profile::native, Profile::compile, Profile::lua, Profile::python, Profile::shell}) {
        const Loaded filter(profile, Mode::portable);
        CHECK(filter.own_pids() > 0);
        for (const long number : {SYS_kill, SYS_tkill, SYS_tgkill}) {
            CHECK(filter({number, {kPid, 6}}) == SECCOMP_RET_ALLOW);
            for (const std::uint64_t other :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{kPid - 1}, kPid + kHighBits,
                  std::uint64_t{sandbox::init_wire::kOwnPidMark}, ~std::uint64_t{0},
                  std::uint64_t{0} - kPid})
                CHECK(filter({number, {other, 6}}) == refused(EPERM));
        }
        CHECK(filter({SYS_prlimit64, {0, 0, 0, 1}}) == SECCOMP_RET_ALLOW);
        CHECK(filter({SYS_prlimit64, {kPid, 0, 0, 1}}) == refused(EPERM));
        CHECK(filter({SYS_prlimit64, {kHighBits, 0, 0, 1}}) == refused(EPERM));
        CHECK(filter({SYS_prlimit64, {0, 0, 1, 0}}) == refused(EPERM));
        CHECK(filter({SYS_getpriority, {2, 0}}) == refused(ESRCH));
        CHECK(filter({SYS_setsid}) == refused(EPERM));
    }
}

TEST_CASE("filter: no mark of a pid is left in full mode") {
    CHECK(Loaded(Profile::native, Mode::full).own_pids() == 0);
}

TEST_CASE("filter: portable programs have threads, tools have children, nobody namespaces") {
    const Loaded program(Profile::native, Mode::portable);
    const Loaded tool(Profile::compile, Mode::portable);
    constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                      CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
    constexpr std::uint64_t kFork = SIGCHLD, kVfork = CLONE_VM | CLONE_VFORK | SIGCHLD;
    CHECK(program({SYS_clone, {kThread}}) == SECCOMP_RET_ALLOW);
    CHECK(tool({SYS_clone, {kThread}}) == SECCOMP_RET_ALLOW);
    for (const std::uint64_t flags : {kFork, kVfork}) {
        CHECK(program({SYS_clone, {flags}}) == refused(EAGAIN));
        CHECK(tool({SYS_clone, {flags}}) == SECCOMP_RET_ALLOW);
    }
    for (const long number : {SYS_fork, SYS_vfork}) {
        CHECK(program({number}) == refused(EAGAIN));
        CHECK(tool({number}) == SECCOMP_RET_ALLOW);
    }
    for (const std::uint64_t flag : {CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET}) {
        CHECK(program({SYS_clone, {flag | kThread}}) == SECCOMP_RET_USER_NOTIF);
        CHECK(program({SYS_clone, {flag | kFork}}) == SECCOMP_RET_USER_NOTIF);
        CHECK(tool({SYS_clone, {flag | kFork}}) == SECCOMP_RET_USER_NOTIF);
    }
}

TEST_CASE("filter: portable programs cannot empty by opening, nor make a file without a name") {
    const Loaded filter(Profile::compile, Mode::portable);
    const auto open = [&](std::uint64_t flags) {
        const std::uint32_t at = filter({SYS_openat, {0, 0, flags}});
        CHECK(filter({SYS_open, {0, flags}}) == at);
        return at;
    };
    CHECK(open(O_RDONLY) == SECCOMP_RET_ALLOW);
    CHECK(open(O_WRONLY | O_CREAT | O_TRUNC) == SECCOMP_RET_ALLOW);
    CHECK(open(O_RDWR | O_CREAT | O_TRUNC) == SECCOMP_RET_ALLOW);
    CHECK(open(O_RDWR | O_CREAT | O_EXCL) == SECCOMP_RET_ALLOW);
    CHECK(open(O_RDONLY | O_TRUNC) == refused(EACCES));
    CHECK(open(O_RDONLY | O_TRUNC | kHighBits) == refused(EACCES));
    CHECK(open(O_ACCMODE | O_TRUNC) == refused(EACCES));
    CHECK(open(O_TMPFILE | O_RDWR) == refused(EOPNOTSUPP));
    CHECK(open(O_TMPFILE | O_RDWR | O_TRUNC) == refused(EOPNOTSUPP));
}

TEST_CASE("filter: without a listener it kills what it would hold, and nothing else") {
    for (const Mode mode : {Mode::full, Mode::portable}) {
        const Loaded holding(Profile::python, mode);
        const Loaded killing(Profile::python, mode, Unlisted::killed);
        for (long number = 0; number <= holding.highest(); ++number) {
            const std::uint32_t held = holding({number});
            CHECK(killing({number}) ==
                  (held == SECCOMP_RET_USER_NOTIF ? SECCOMP_RET_KILL_PROCESS : held));
        }
        for (const long unknown : {holding.highest() + 1L, 4095L, 0x3fffffffL, -1L, -4096L}) {
            CHECK(holding({unknown}) == SECCOMP_RET_USER_NOTIF);  // init says ENOSYS
            CHECK(killing({unknown}) == refused(ENOSYS));
        }
        CHECK(killing({0x40000000 + SYS_getpid}) == SECCOMP_RET_KILL_PROCESS);
        CHECK(killing({20, {}, AUDIT_ARCH_I386}) == SECCOMP_RET_KILL_PROCESS);
        CHECK(killing({4095, {}, AUDIT_ARCH_I386}) == SECCOMP_RET_KILL_PROCESS);
    }
}

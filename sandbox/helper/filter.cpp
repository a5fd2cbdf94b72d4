// libseccomp behind three functions.
// Knows no profile; rows come from profiles.cpp.
// See filter.hpp.
#include "sandbox/helper/filter.hpp"

#include "sandbox/helper/sys.hpp"
#include "sandbox/hierarchy.hpp"

#include <seccomp.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox {

namespace {

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

Error failed(const std::string& what, int negative_errno) {
    return {Error::Code::setup_failed, -negative_errno,
            "cannot build the system-call filter: " + what};
}

scmp_arg_cmp comparison(const ArgTest& test) {
    switch (test.op) {
        case ArgTest::Op::equal:
            return {test.argument, SCMP_CMP_EQ, test.value, 0};
        case ArgTest::Op::not_equal:
            return {test.argument, SCMP_CMP_NE, test.value, 0};
        case ArgTest::Op::masked_equal:
            return {test.argument, SCMP_CMP_MASKED_EQ, test.mask, test.value};
    }
    return {};
}

/// libseccomp knows no masked inequality: one row for each bit that may differ.
Result<void> add(void* context, const Rule& rule);
Result<void> add_each_bit(void* context, Rule rule) {
    const ArgTest whole = rule.when.front();
    for (std::uint64_t bit = 1; bit <= whole.mask; bit <<= 1U) {
        const ArgTest differs{whole.argument, ArgTest::Op::masked_equal, ~whole.value & bit, bit};
        rule.when = {&differs, 1};
        if (auto added = add(context, rule); !added) return added;
    }
    return {};
}

Result<void> add(void* context, const Rule& rule) {
    if (rule.when.size() == 1 && rule.when[0].op == ArgTest::Op::not_equal &&
        rule.when[0].mask != ~std::uint64_t{0})
        return add_each_bit(context, rule);
    const std::string name(rule.calls);
    const int number = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, name.c_str());
    if (number < 0) return tl::unexpected(failed("unknown call " + name, -EINVAL));
    std::vector<scmp_arg_cmp> tests;
    for (const ArgTest& test : rule.when) tests.push_back(comparison(test));
    // The error of an ignored call is 0: it returns 0 without having run.
    const std::uint32_t action = rule.action == Action::allow
                                     ? SCMP_ACT_ALLOW
                                     : SCMP_ACT_ERRNO(static_cast<std::uint32_t>(rule.error));
    const int n = seccomp_rule_add_array(context, action, number,
                                         static_cast<unsigned>(tests.size()), tests.data());
    if (n < 0) return tl::unexpected(failed("row " + name, n));
    return {};
}

Result<Context> build(const Policy& policy) {
    Context context(seccomp_init(SCMP_ACT_NOTIFY), seccomp_release);
    if (!context) return tl::unexpected(failed("seccomp_init refuses user notification", -ENOSYS));
    // Foreign ABIs are held and named like any other forbidden call.
    int n = seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_NOTIFY);
    if (n == 0) n = seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // binary tree
    if (n < 0) return tl::unexpected(failed("attributes", n));
    for (const auto& group : policy.groups) {
        for (Rule rule : group) {
            for (const std::string_view call : split(rule.calls, ' ')) {
                rule.calls = call;
                auto added = add(context.get(), rule);
                if (!added) return tl::unexpected(std::move(added).error());
            }
        }
    }
    return context;
}

std::int32_t highest_named_call() {
    for (std::int32_t number = 1023; number > 0; --number) {
        char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
        const bool known = name != nullptr;
        std::free(name);
        if (known) return number;
    }
    return 0;
}

UniqueFd memory_file() {
    return UniqueFd(::memfd_create("filter", MFD_CLOEXEC));
}

using Program = std::vector<sock_filter>;

Program read_program(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return {};
    Program program(static_cast<std::size_t>(status.st_size) / sizeof(sock_filter));
    const std::size_t size = program.size() * sizeof(sock_filter);
    if (::pread(fd, program.data(), size, 0) != static_cast<ssize_t>(size)) return {};
    return program;
}

/// The same filter without a listener: what init would say to a held call, in front of it.
Program killing(const Program& holding, std::int32_t highest_call) {
    constexpr std::uint32_t kX32Bit = 0x40000000;
    Program program{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x80000000, 2, 0),  // below 0
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, static_cast<std::uint32_t>(highest_call), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    for (sock_filter instruction : holding) {
        if (instruction.code == (BPF_RET | BPF_K) && instruction.k == SECCOMP_RET_USER_NOTIF)
            instruction.k = SECCOMP_RET_KILL_PROCESS;
        program.push_back(instruction);
    }
    return program;
}

alignas(16) char g_stack[16 * 1024];

/// In a child that borrows our memory: the filter that it loads ends with it.
int try_listener(void* result) {
    sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{1, &allow};
    (void)sys::call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
    *static_cast<long*>(result) =
        sys::call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                  sys::address(&program));
    sys::exit_now(0);
}

}  // namespace

bool can_hold_calls() {
    long result = 0;
    const int pid =
        ::clone(try_listener, g_stack + sizeof g_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &result);
    if (pid > 0) (void)::waitpid(pid, nullptr, __WALL);
    return result != -EBUSY && result != -EINVAL;  // other errors will be told when a run fails
}

Result<Filter> compile(const Policy& policy, Unlisted unlisted) {
    auto context = build(policy);
    if (!context) return tl::unexpected(std::move(context).error());
    Filter filter;
    filter.program = memory_file();
    if (const int n = seccomp_export_bpf(context->get(), filter.program.get()); n < 0)
        return tl::unexpected(failed("export", n));
    filter.highest_call = highest_named_call();
    Program program = read_program(filter.program.get());
    if (unlisted == Unlisted::killed) {
        program = killing(program, filter.highest_call);
        const std::size_t size = program.size() * sizeof(sock_filter);
        if (::pwrite(filter.program.get(), program.data(), size, 0) != static_cast<ssize_t>(size))
            return tl::unexpected(failed("export", -errno));
    }
    filter.instructions = static_cast<std::uint32_t>(program.size());
    return filter;
}

Result<std::string> pseudo_code(const Policy& policy) {
    auto context = build(policy);
    if (!context) return tl::unexpected(std::move(context).error());
    const UniqueFd file = memory_file();
    if (const int n = seccomp_export_pfc(context->get(), file.get()); n < 0)
        return tl::unexpected(failed("export", n));
    std::string text;
    char buffer[4096];
    (void)::lseek(file.get(), 0, SEEK_SET);
    for (ssize_t n; (n = ::read(file.get(), buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    return text;
}

std::string call_name(std::uint32_t arch, std::int32_t number) {
    constexpr std::int32_t kX32Bit = 0x40000000;
    std::uint32_t token = SCMP_ARCH_X86_64;
    std::string prefix;
    if (arch == AUDIT_ARCH_I386) {
        token = SCMP_ARCH_X86;
        prefix = "i386:";
    } else if (number >= kX32Bit) {
        token = SCMP_ARCH_X32;
        prefix = "x32:";
    }
    char* name = seccomp_syscall_resolve_num_arch(token, number);
    std::string result =
        prefix + (name != nullptr ? std::string(name) : "unknown:" + std::to_string(number));
    std::free(name);
    return result;
}

}  // namespace sandbox

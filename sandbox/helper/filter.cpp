// libseccomp behind three functions.
// Knows no profile; rows come from profiles.cpp.
// See filter.hpp.
#include "sandbox/helper/filter.hpp"

#include <seccomp.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

Result<void> add(void* context, const Rule& rule) {
    const std::string name(rule.syscall);
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
        for (const Rule& rule : group) {
            auto added = add(context.get(), rule);
            if (!added) return tl::unexpected(std::move(added).error());
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

}  // namespace

Result<Filter> compile(const Policy& policy) {
    auto context = build(policy);
    if (!context) return tl::unexpected(std::move(context).error());
    Filter filter;
    filter.program = memory_file();
    if (const int n = seccomp_export_bpf(context->get(), filter.program.get()); n < 0)
        return tl::unexpected(failed("export", n));
    struct stat status {};
    if (::fstat(filter.program.get(), &status) != 0)
        return tl::unexpected(failed("export", -errno));
    filter.instructions =
        static_cast<std::uint32_t>(static_cast<std::size_t>(status.st_size) / sizeof(sock_filter));
    filter.highest_call = highest_named_call();
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

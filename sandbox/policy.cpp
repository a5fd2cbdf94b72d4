// The text form of a policy.
// Does not build filters.
// See policy.hpp.
#include "sandbox/policy.hpp"

#include "sandbox/hierarchy.hpp"

#include <cstdio>
#include <cstring>

namespace sandbox {

namespace {

std::string text(const ArgTest& test) {
    char buffer[96];
    const char* op = test.op == ArgTest::Op::not_equal ? "!=" : "==";
    if (test.mask != ~std::uint64_t{0})
        (void)std::snprintf(buffer, sizeof buffer, " if (arg%u & %#lx) %s %#lx", test.argument,
                            test.mask, op, test.value);
    else
        (void)std::snprintf(buffer, sizeof buffer, " if arg%u %s %#lx", test.argument, op,
                            test.value);
    return buffer;
}

std::string action_text(const Rule& rule) {
    switch (rule.action) {
        case Action::allow:
            return "allow";
        case Action::refuse:
            return "refuse with " + std::string(::strerrorname_np(rule.error));
        case Action::ignore:
            return "ignore";
    }
    return "";
}

}  // namespace

std::string text(const Policy& policy) {
    std::string all = "profile " + std::string(name(policy.profile)) + ", mode " +
                      std::string(name(policy.mode)) + "\n";
    for (const auto& group : policy.groups) {
        for (const Rule& rule : group) {
            std::string what = ": " + action_text(rule);
            for (const ArgTest& test : rule.when) what += text(test);
            what += "  # " + std::string(rule.why) + "\n";
            for (const std::string_view call : split(rule.calls, ' '))
                all += std::string(call) + what;
        }
    }
    return all;
}

}  // namespace sandbox

// Tests of sandbox/profiles.cpp and the filter compiler: golden text of every profile and filter.
// Loads no filter.
// Run by the golden suite; GOLDEN_UPDATE=1 rewrites the texts and fails, so that it cannot pass by
// itself.
#include "sandbox/policy.hpp"

#include "sandbox/helper/filter.hpp"
#include "sandbox/hierarchy.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <linux/audit.h>

using sandbox::Mode;
using sandbox::Profile;

namespace {

constexpr Mode kModes[] = {Mode::full, Mode::portable};
constexpr Profile kProfiles[] = {Profile::native, Profile::compile, Profile::lua, Profile::python,
                                 Profile::shell};

/// visit(policy, "native" or "portable-native").
template <class Visit>
void for_each_policy(Visit visit) {
    for (const Mode mode : kModes) {
        for (const Profile profile : kProfiles) {
            const std::string prefix = mode == Mode::full ? "" : "portable-";
            visit(sandbox::policy_of(profile, mode), prefix + std::string(name(profile)));
        }
    }
}

}  // namespace

TEST_CASE("policy: every row says why and names a call once per set of conditions") {
    for_each_policy([](const sandbox::Policy& policy, const std::string&) {
        std::set<std::string> unconditional;
        for (const auto& group : policy.groups) {
            for (const sandbox::Rule& rule : group) {
                CHECK_MESSAGE(!rule.why.empty(), rule.calls);
                CHECK((rule.action == sandbox::Action::refuse) == (rule.error != 0));
                if (!rule.when.empty()) continue;
                for (const std::string_view call : sandbox::split(rule.calls, ' '))
                    CHECK_MESSAGE(unconditional.insert(std::string(call)).second, call);
            }
        }
    });
}

TEST_CASE("policy: texts are those that were reviewed") {
    for_each_policy([](const sandbox::Policy& policy, const std::string& name) {
        tests::check_golden("policy-" + name + ".txt", text(policy));
    });
}

TEST_CASE("policy: compiled filters are those that were reviewed") {
    for_each_policy([](const sandbox::Policy& policy, const std::string& name) {
        const auto code = sandbox::pseudo_code(policy);
        REQUIRE(code.has_value());
        tests::check_golden("filter-" + name + ".txt", *code);
    });
}

TEST_CASE("filter: calls are named, foreign ones with their ABI") {
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 41) == "socket");
    CHECK(sandbox::call_name(AUDIT_ARCH_I386, 20) == "i386:getpid");
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 0x40000000 | 39) == "x32:getpid");
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 4095) == "unknown:4095");
}

// Tests of sandbox/profiles.cpp and the filter compiler: golden text of every profile and filter.
// Loads no filter.
// Run by the golden suite; GOLDEN_UPDATE=1 rewrites the texts and fails, so that it cannot pass by
// itself.
#include "sandbox/policy.hpp"

#include "sandbox/helper/filter.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <linux/audit.h>

using sandbox::Profile;

namespace {

constexpr Profile kProfiles[] = {Profile::native, Profile::compile, Profile::lua, Profile::python,
                                 Profile::shell};

}  // namespace

TEST_CASE("policy: every row says why and names a call once per set of conditions") {
    for (const Profile profile : kProfiles) {
        std::set<std::string> unconditional;
        for (const auto& group : sandbox::policy_of(profile).groups) {
            for (const sandbox::Rule& rule : group) {
                CHECK_MESSAGE(!rule.why.empty(), rule.syscall);
                CHECK((rule.action == sandbox::Action::refuse) == (rule.error != 0));
                if (rule.when.empty())
                    CHECK_MESSAGE(unconditional.insert(std::string(rule.syscall)).second,
                                  rule.syscall);
            }
        }
    }
}

TEST_CASE("policy: texts are those that were reviewed") {
    for (const Profile profile : kProfiles)
        tests::check_golden("policy-" + std::string(name(profile)) + ".txt",
                            text(sandbox::policy_of(profile)));
}

TEST_CASE("policy: compiled filters are those that were reviewed") {
    for (const Profile profile : kProfiles) {
        const auto code = sandbox::pseudo_code(sandbox::policy_of(profile));
        REQUIRE(code.has_value());
        tests::check_golden("filter-" + std::string(name(profile)) + ".txt", *code);
    }
}

TEST_CASE("filter: calls are named, foreign ones with their ABI") {
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 41) == "socket");
    CHECK(sandbox::call_name(AUDIT_ARCH_I386, 20) == "i386:getpid");
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 0x40000000 | 39) == "x32:getpid");
    CHECK(sandbox::call_name(AUDIT_ARCH_X86_64, 4095) == "unknown:4095");
}

// System-call policies: one per profile and mode, an allow-list with the reason of each row.
// Does not build a filter: helper/filter.cpp does.
// Used by the helper and by tests that print a policy.
#pragma once

#include "sandbox/mode.hpp"
#include "sandbox/view.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// allow: the call runs. refuse: it fails with Rule::error. ignore: it does nothing and says that
/// all went well. Everything without a row is held, named and ends the run; numbers that nobody can
/// name get ENOSYS.
enum class Action : std::uint8_t { allow, refuse, ignore };

/// A test on one argument, compared as a number and never as a pointer. All tests of a row must
/// hold. Only the bits of `mask` count, but for `equal`.
struct ArgTest {
    enum class Op : std::uint8_t { equal, not_equal, masked_equal };
    std::uint8_t argument = 0;
    Op op = Op::equal;
    std::uint64_t value = 0;
    std::uint64_t mask = ~std::uint64_t{0};
};

struct Rule {
    std::string_view calls;  // names, separated by spaces
    Action action = Action::allow;
    int error = 0;
    std::span<const ArgTest> when;
    std::string_view why;
};

struct Policy {
    Profile profile{};
    Mode mode{};
    std::vector<std::span<const Rule>> groups;  // all of them together
};

/// The policy of a profile in one of the modes.
const Policy& policy_of(Profile profile, Mode mode);

/// One call a line, as docs and golden files show it.
std::string text(const Policy& policy);

}  // namespace sandbox

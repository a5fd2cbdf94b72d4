// Tests of sandbox/limits.hpp.
// No other module.
// Run by the unit suite.
#include "sandbox/limits.hpp"

#include <doctest/doctest.h>

TEST_CASE("limits: the defaults are usable") {
    CHECK(sandbox::check(sandbox::Limits{}).has_value());
}

TEST_CASE("limits: zero wall time is refused by name") {
    sandbox::Limits limits;
    limits.wall_time = std::chrono::milliseconds(0);
    const auto result = sandbox::check(limits);
    REQUIRE(!result.has_value());
    CHECK(result.error().what.find("wall_ms") != std::string::npos);
}

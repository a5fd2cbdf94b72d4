// Tests of reference/random.hpp.
// No other module.
// Run by the unit suite.
#include "reference/random.hpp"

#include <doctest/doctest.h>

#include <set>

TEST_CASE("random: the same seed and stream give the same numbers, others do not") {
    reference::Seed seed{};
    seed[31] = 7;
    reference::Random a(seed, 1), b(seed, 1), c(seed, 2);
    const auto first = a.next();
    CHECK(first == b.next());
    CHECK(first != c.next());
    seed[16] = 1;
    CHECK(first != reference::Random(seed, 1).next());
}

TEST_CASE("random: below() stays below and reaches every value") {
    reference::Random random({}, 0);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 200; ++i) seen.insert(random.below(5));
    CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4});
    CHECK(random.below(1) == 0);
}

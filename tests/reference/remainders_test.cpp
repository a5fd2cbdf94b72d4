// Loops with a shorter last round: the walk against single words, and by hand.
// Not for the closed form, which refuses them. Timeloop's records of them: golden_test.cpp.
// Run by the unit suite.
#include "reference/case_toml.hpp"
#include "reference/evaluate.hpp"
#include "reference/tiles.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/model_case.hpp"
#include "tests/support/point_by_point.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/wild_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using reference::Case;
using reference::Dialect;
using reference::DimensionId;
using reference::Movement;
using reference::Semantics;
using reference::Traffic;
using reference::Words;

namespace {

std::vector<std::string> names_of(const Case& input) {
    std::vector<std::string> names;
    for (const auto& space : input.workload.data_spaces) names.push_back(space.name);
    return names;
}

/// A case of model_case.hpp with some dimensions made smaller.
Case smaller_sizes(std::string_view tensors, const std::vector<std::string_view>& levels,
                   const std::vector<std::pair<std::string, std::int64_t>>& sizes) {
    auto made = tests::model_case(tensors, levels);
    Case c{std::move(made.workload), std::move(made.architecture), std::move(made.mapping)};
    for (const auto& [name, size] : sizes)
        for (std::size_t d = 0; d < c.workload.dimensions.size(); ++d)
            if (c.workload.dimensions[d].name == name) tests::cut(c, DimensionId{d}, size);
    return c;
}

Traffic walked(const Case& c, const Semantics& semantics = reference::kExact) {
    const auto traffic = tests::simulated(c, semantics);
    REQUIRE_MESSAGE(traffic.has_value(), (traffic ? "" : traffic.error().what));
    return *traffic;
}

Movement at(const Traffic& traffic, std::size_t level, std::size_t d) {
    REQUIRE(traffic.levels.at(level).movements.at(d).has_value());
    return *traffic.levels[level].movements[d];
}

/// Of all tensors together.
std::int64_t words_of(const Case& input) {
    const auto sizes = reference::inner_bounds(input.workload, input.mapping, 0);
    std::int64_t words = 0;
    for (const auto& space : input.workload.data_spaces)
        words += reference::tile_words(space, sizes).value();
    return words;
}

/// Everything but partitions, which single words do not tell.
Traffic without_partitions(Traffic traffic) {
    for (auto& level : traffic.levels)
        for (auto& movement : level.movements)
            if (movement) movement->partition_words = 0;
    return traffic;
}

/// "" if the walk counts what single words say.
std::string against_points(const Case& input) {
    const Traffic walk = without_partitions(walked(input));
    const Traffic points = tests::count_points(input);
    if (walk == points) return "";
    return difference(walk, points, names_of(input)) + "not equal\n" + reference::case_toml(input);
}

constexpr std::string_view kGemm = "A:M,K B:K,N Z=M,N";

}  // namespace

TEST_CASE("remainders: the walk equals a count of single words") {
    int remainders = 0;
    for (std::uint64_t stream = 0; stream < 2000; ++stream) {
        reference::Random random({}, 1'000'000 + stream);
        Case input = tests::wild_case(random, 60);
        if (words_of(input) > 150) continue;  // sets of words are slow
        CHECK(against_points(input) == "");
        for (std::size_t d = 0; d < input.workload.dimensions.size(); ++d) {
            const auto size = static_cast<std::uint64_t>(input.workload.dimensions[d].size);
            tests::cut(input, DimensionId{d}, static_cast<std::int64_t>(1 + random.below(size)));
        }
        REQUIRE(check_case(input.workload, input.architecture, input.mapping).has_value());
        CHECK(against_points(input) == "");
        remainders += has_remainders(input.mapping) ? 1 : 0;
    }
    CHECK(remainders > 700);
}

TEST_CASE("remainders: a short last tile is short") {
    // M = 7 in tiles of 3, 3, 1: each word of A once, 7 x 2 x 2 steps.
    const Traffic t = walked(smaller_sizes(kGemm, {"M3", "M3 N2 K2"}, {{"M", 7}}));
    CHECK(t.computes == 28);
    CHECK(t.cycles == 28);
    CHECK(at(t, 1, 0) == Movement{6, 28, 14, 0, 14, Words{28, 14, 0}});
    CHECK(at(t, 0, 0).reads == 14);
    CHECK(at(t, 0, 2) == Movement{14, 0, 0, 14, 14, Words{0, 0, 14}});
    // Timeloop takes every round as a full one: 9 x 2 x 2 cycles, and charges three full tiles.
    const Traffic timeloop = walked(smaller_sizes(kGemm, {"M3", "M3 N2 K2"}, {{"M", 7}}),
                                    {Dialect::timeloop, false, true});
    CHECK(timeloop.cycles == 36);
    CHECK(timeloop.computes == 28);
    CHECK(at(timeloop, 0, 0).reads == 18);
    CHECK(at(timeloop, 0, 2) == Movement{14, 4, 0, 18, 14, Words{4, 0, 18}});
}

TEST_CASE("remainders: an instance without work keeps what it holds") {
    // N = 7 over 4 instances in two passes; K is read again in both. In the second pass the last
    // instance has nothing to do.
    const Traffic t = walked(smaller_sizes(kGemm, {"N2/N4", "M2 K3"}, {{"N", 7}}));
    CHECK(t.levels[1].instances == 4);
    CHECK(t.computes == 42);
    CHECK(t.cycles == 12);
    CHECK(t.utilization == doctest::Approx(42.0 / 48));
    CHECK(at(t, 0, 1).reads == 21);                   // all of B, once
    CHECK(at(t, 1, 1).total == Words{42, 21, 0});     // 6 or 3 words in an instance
    CHECK(at(t, 1, 1).fills == 5);                    // the mean of 6, 6, 6 and 3 is 5.25
    CHECK(at(t, 1, 0).total == Words{42, 4 * 6, 0});  // A stays where it is
    CHECK(at(t, 0, 0).reads == 6);
    CHECK(at(t, 1, 2).total == Words{42 - 14, 0, 42});
}

TEST_CASE("remainders: an instance that never works is not used") {
    const Traffic t = walked(smaller_sizes(kGemm, {"/N4", "M2 K3"}, {{"N", 3}}));
    CHECK(t.levels[1].instances == 3);
    CHECK(at(t, 1, 1).fills == 3);
    CHECK(t.utilization == doctest::Approx(1));
}

TEST_CASE("remainders: a tile that stands at the same place but ends later brings its end") {
    // P = 4 in tiles of 2, R = 3 in tiles of 2 and 1. When P moves on by 2 and R falls back by 2,
    // the box begins where the one before began and is one word longer.
    for (const Dialect dialect : {Dialect::exact, Dialect::timeloop, Dialect::timeloop_2024}) {
        const Case c = smaller_sizes("I:P+R W:R O=P", {"P2 R2", "P2 R2"}, {{"P", 4}, {"R", 3}});
        CHECK(at(walked(c, {dialect, false, false}), 1, 0).fills ==
              (dialect == Dialect::timeloop_2024 ? 3 + 1 + 3 + 1 : 3 + 1 + 1 + 1));
    }
}

TEST_CASE("remainders: the closed form refuses them, and too many steps are an error") {
    const Case c = smaller_sizes(kGemm, {"M3", "M3 N2 K2"}, {{"M", 7}});
    const auto fast = reference::evaluate(c.workload, c.architecture, c.mapping);
    REQUIRE_FALSE(fast.has_value());
    CHECK(fast.error().code == reference::Error::Code::inconsistent);
    // Nor are so many instances laid out in memory, in any dialect.
    for (const std::string_view spatial : {"/M40000 N40000", "/M10000 N10000", "/M1024 N1025"}) {
        const Case wide = smaller_sizes(kGemm, {spatial, "M3"}, {{"M", 3 * 1024 - 1}});
        for (const Semantics& semantics : tests::all_semantics()) {
            const auto many = tests::simulated(wide, semantics);
            REQUIRE_FALSE(many.has_value());
            CHECK(many.error().code == reference::Error::Code::overflow);
        }
    }
    const Case long_one = smaller_sizes(kGemm, {"M100000 N100000", "M3"}, {{"M", 299'999}});
    const auto steps = tests::simulated(long_one, reference::kExact);
    REQUIRE_FALSE(steps.has_value());
    CHECK(steps.error().code == reference::Error::Code::overflow);
}

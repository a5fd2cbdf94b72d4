// Tests of reference/generate.hpp: legal, within limits, and every stratum is there.
// Not of the numbers of a case.
// Run by the unit suite.
#include "reference/generate.hpp"

#include "reference/tiles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace reference;

namespace {

constexpr std::uint64_t kCases = 64;

std::vector<Case> made(std::string_view family, const GenerateLimits& limits = {}) {
    Seed seed{};
    seed[5] = 42;
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < kCases; ++i) {
        const auto one = generate(family, limits, seed, i);
        REQUIRE(one.has_value());
        cases.push_back(*one);
    }
    return cases;
}

template <class Predicate>
int count(const std::vector<Case>& cases, Predicate predicate) {
    return static_cast<int>(std::count_if(cases.begin(), cases.end(), predicate));
}

bool lists_bound_one(const Case& one) {
    const auto& loops = one.mapping.levels[0].temporal;
    return std::any_of(loops.begin(), loops.end(),
                       [](const Loop& loop) { return loop.bound == 1; });
}

bool lacks_dimension(const Case& one) {
    return one.mapping.levels[0].temporal.size() < one.workload.dimensions.size();
}

}  // namespace

TEST_CASE("generate: every case of every family is legal and within its limits") {
    for (const std::string_view family : generator_families()) {
        for (const GenerateLimits& limits :
             {GenerateLimits{}, GenerateLimits{50, 200}, GenerateLimits{1, 1},
              GenerateLimits{20'000, std::int64_t{1} << 44U}}) {
            for (const Case& one : made(family, limits)) {
                CAPTURE(std::string(family));
                const auto legal = check_case(one.workload, one.architecture, one.mapping);
                CHECK_MESSAGE(legal.has_value(), (legal ? "" : legal.error().what));
                std::int64_t steps = 1;
                std::int64_t iterations = 1;
                for (std::size_t level = 0; level < one.mapping.levels.size(); ++level) {
                    const auto& loops = one.mapping.levels[level];
                    for (const Loop& loop : loops.temporal) {
                        if (level + 1 < one.mapping.levels.size()) steps *= loop.bound;
                        iterations *= loop.bound;
                    }
                    for (const Loop& loop : loops.spatial) {
                        steps *= loop.bound;
                        iterations *= loop.bound;
                    }
                }
                CHECK(steps <= limits.max_steps);
                CHECK(iterations <= limits.max_iterations);
            }
        }
    }
}

TEST_CASE("generate: the same seed and index give the same case, others do not") {
    for (const std::string_view family : generator_families()) {
        const auto a = generate(family, {}, Seed{}, 5);
        CHECK(*a == *generate(family, {}, Seed{}, 5));
        CHECK_FALSE(*a == *generate(family, {}, Seed{}, 9));
        Seed other{};
        other[31] = 1;
        CHECK_FALSE(*a == *generate(family, {}, other, 5));
    }
    CHECK_FALSE(generate("gemms", {}, Seed{}, 0).has_value());
}

TEST_CASE("generate: bound-1 loops are listed, absent dimensions occur, all orders are used") {
    for (const std::string_view family : generator_families()) {
        const auto cases = made(family);
        CAPTURE(std::string(family));
        CHECK(count(cases, lists_bound_one) >= 16);
        CHECK(count(cases, lacks_dimension) >= 16);
    }
    std::set<std::string> orders;
    for (const Case& one : made("matmul")) {
        std::string order;
        for (const Loop& loop : one.mapping.levels[0].temporal)
            order += one.workload.dimensions[index(loop.dimension)].name;
        if (order.size() == 3) orders.insert(order);
    }
    CHECK(orders.size() == 6);
}

TEST_CASE(
    "generate: einsums differ in shape, names and place of the output; capacities on the edge") {
    const auto cases = made("einsum");
    std::set<std::string> shapes;
    std::set<std::string> outputs;
    for (const Case& one : cases) {
        shapes.insert(one.workload.name);
        for (const DataSpace& space : one.workload.data_spaces)
            if (space.output) outputs.insert(space.name);
    }
    CHECK(shapes.size() >= 8);
    CHECK(outputs.size() >= 6);
    CHECK(count(cases, [](const Case& c) { return c.workload.data_spaces.back().output; }) < 50);
    auto room = [](const Case& c) {
        const auto bounds = inner_bounds(c.workload, c.mapping, 1);
        Count words(0);
        for (const DataSpace& space : c.workload.data_spaces) words += tile_words(space, bounds);
        return *c.architecture.levels[1].capacity_words - words.value();
    };
    CHECK(count(cases, [&](const Case& c) { return room(c) == 0; }) >= 10);
    CHECK(count(cases, [&](const Case& c) { return room(c) == -1; }) >= 10);
}

TEST_CASE("generate: convolutions have strides, dilations and holes") {
    const auto cases = made("conv2d");
    auto coefficient = [](const Case& c, std::size_t term) {
        return c.workload.data_spaces[0].ranks[2][term].coefficient;
    };
    CHECK(count(cases, [&](const Case& c) { return coefficient(c, 0) > 1; }) >= 20);
    CHECK(count(cases, [&](const Case& c) { return coefficient(c, 1) > 1; }) >= 20);
    auto size = [](const Case& c, const std::string& name) {
        for (const Dimension& d : c.workload.dimensions)
            if (d.name == name) return d.size;
        return std::int64_t{0};
    };
    CHECK(count(cases, [&](const Case& c) {
              return coefficient(c, 0) > size(c, "R") && size(c, "P") > 1;
          }) >= 5);
    for (const Case& c : cases) {
        CHECK(c.workload.data_spaces[0].name == "I");
        CHECK(c.workload.data_spaces[1].name == "W");
        CHECK(c.workload.data_spaces[2].name == "O");
    }
}

TEST_CASE("generate: arrays are used in part, reductions are spread over instances") {
    const auto cases = made("spatial");
    auto used = [](const Case& c) {
        std::int64_t product = 1;
        for (const Loop& loop : c.mapping.levels[1].spatial) product *= loop.bound;
        return product;
    };
    CHECK(count(cases, [&](const Case& c) { return used(c) > 1; }) >= 40);
    CHECK(count(cases,
                [&](const Case& c) { return used(c) < c.architecture.levels[2].instances; }) >= 10);
    auto reduces = [](const Case& c) {
        const auto output =
            std::find_if(c.workload.data_spaces.begin(), c.workload.data_spaces.end(),
                         [](const DataSpace& s) { return s.output; });
        return std::any_of(c.mapping.levels[1].spatial.begin(), c.mapping.levels[1].spatial.end(),
                           [&](const Loop& loop) {
                               return loop.bound > 1 &&
                                      std::none_of(output->ranks.begin(), output->ranks.end(),
                                                   [&](const Rank& rank) {
                                                       return rank[0].dimension == loop.dimension;
                                                   });
                           });
    };
    CHECK(count(cases, reduces) >= 15);
}

TEST_CASE("generate: bypass choices are all there, and every tensor is kept inside") {
    std::set<std::string> choices;
    for (const Case& c : made("bypass")) {
        for (std::size_t space = 0; space < c.workload.data_spaces.size(); ++space) {
            const bool l2 = c.mapping.levels[1].keep[space];
            const bool l1 = c.mapping.levels[2].keep[space];
            CHECK((l2 || l1));
            choices.insert(std::string(c.workload.data_spaces[space].output ? "out" : "in") +
                           (l2 ? "2" : "-") + (l1 ? "1" : "-"));
        }
    }
    CHECK(choices.size() == 6);
}

TEST_CASE("generate: bandwidths are multiples of 1/4, sometimes unlimited") {
    int unlimited = 0;
    for (const Case& c : made("bandwidth"))
        for (const StorageLevel& level : c.architecture.levels)
            for (const auto& bandwidth : {level.read_bandwidth, level.write_bandwidth}) {
                if (!bandwidth) ++unlimited;
                const double quarters = bandwidth.value_or(1.0) * 4;
                CHECK(quarters == static_cast<double>(static_cast<std::int64_t>(quarters)));
                CHECK(quarters >= 1);
            }
    CHECK(unlimited >= 20);
    CHECK(unlimited <= 150);
}

// Tests of grader/statistics.hpp against numbers computed with exact fractions and SciPy 1.10.
// No other module.
// Run by the unit suite.
#include "grader/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using grader::Tally;

namespace {

constexpr double kTenDigits = 6e-11;

bool close(std::optional<double> value, double expected) {
    return value && std::abs(*value - expected) < kTenDigits;
}

/// Data set D: six tasks of four samples.
const std::vector<Tally> kModelA{{4, 4}, {3, 4}, {2, 4}, {1, 4}, {0, 4}, {3, 4}};
const std::vector<Tally> kModelB{{4, 4}, {4, 4}, {3, 4}, {2, 4}, {1, 4}, {4, 4}};
const std::vector<Tally> kTens{{0, 10}, {1, 10}, {5, 10}, {10, 10}};

}  // namespace

TEST_CASE("statistics: pass@k is the unbiased estimator") {
    struct Row {
        std::uint64_t n, c, k;
        double expected;
    };
    for (const Row& row : std::vector<Row>{{10, 3, 1, 0.3},
                                           {10, 3, 5, 11.0 / 12},
                                           {10, 3, 8, 1},
                                           {20, 7, 10, 645.0 / 646},
                                           {200, 1, 100, 0.5},
                                           {200, 57, 10, 0.9681899279},
                                           {4, 2, 2, 5.0 / 6},
                                           {5, 0, 3, 0},
                                           {5, 5, 3, 1},
                                           {1000, 1, 1000, 1}}) {
        CAPTURE(row.n);
        CAPTURE(row.c);
        CHECK(close(grader::pass_at_k({row.c, row.n}, row.k), row.expected));
    }
}

TEST_CASE("statistics: pass^k is the chance that all pass") {
    struct Row {
        std::uint64_t n, c, k;
        double expected;
    };
    for (const Row& row : std::vector<Row>{{10, 3, 2, 1.0 / 15},
                                           {10, 9, 3, 0.7},
                                           {10, 9, 8, 0.2},
                                           {20, 19, 10, 0.5},
                                           {8, 7, 8, 0},
                                           {8, 8, 8, 1},
                                           {100, 90, 10, 0.3304762111}}) {
        CAPTURE(row.n);
        CAPTURE(row.c);
        CHECK(close(grader::pass_power_k({row.c, row.n}, row.k), row.expected));
    }
}

TEST_CASE("statistics: more draws than samples have no value") {
    CHECK(!grader::pass_at_k({1, 2}, 3));
    CHECK(!grader::pass_power_k({1, 2}, 3));
    CHECK(!grader::mean_pass_at_k(std::vector<Tally>{{1, 4}, {1, 2}}, 3));
    CHECK(!grader::mean_pass_at_k({}, 1));
}

TEST_CASE("statistics: means over tasks") {
    CHECK(close(grader::mean_pass_at_k(kTens, 1), 0.4));
    CHECK(close(grader::mean_pass_at_k(kTens, 2), 0.4944444444));
    CHECK(close(grader::mean_pass_at_k(kTens, 5), 629.0 / 1008));
    CHECK(close(grader::mean_pass_at_k(kTens, 10), 0.75));
    CHECK(close(grader::mean_pass_power_k(kTens, 2), 11.0 / 36));
    CHECK(close(grader::mean_pass_power_k(kTens, 5), 253.0 / 1008));
    CHECK(close(grader::mean_pass_power_k(kTens, 10), 0.25));
    CHECK(close(grader::mean_pass_at_k(kModelA, 2), 0.7222222222));
    CHECK(close(grader::mean_pass_at_k(kModelA, 3), 0.7916666667));
    CHECK(close(grader::mean_pass_at_k(kModelA, 4), 0.8333333333));
    CHECK(close(grader::mean_pass_power_k(kModelA, 2), 0.3611111111));
    CHECK(close(grader::mean_pass_power_k(kModelA, 3), 0.25));
    CHECK(close(grader::mean_pass_power_k(kModelA, 4), 0.1666666667));
}

TEST_CASE("statistics: Wilson intervals") {
    struct Row {
        Tally tally;
        double level, low, high;
    };
    for (const Row& row : std::vector<Row>{{{0, 10}, 0.95, 0, 0.2775327999},
                                           {{1, 10}, 0.95, 0.0178762131, 0.4041500268},
                                           {{3, 10}, 0.95, 0.1077912674, 0.6032218525},
                                           {{5, 10}, 0.95, 0.2365930905, 0.7634069095},
                                           {{10, 10}, 0.95, 0.7224672001, 1},
                                           {{7, 20}, 0.95, 0.1811918241, 0.5671457233},
                                           {{57, 164}, 0.95, 0.2789237809, 0.4231760439},
                                           {{137, 164}, 0.95, 0.7710631896, 0.8843171960},
                                           {{0, 1}, 0.95, 0, 0.7934506856},
                                           {{1, 1}, 0.95, 0.2065493144, 1},
                                           {{98, 100}, 0.99, 0.9041830170, 0.9960851228},
                                           {{8, 10}, 0.90, 0.5407928057, 0.9314420123}}) {
        CAPTURE(row.tally.passed);
        CAPTURE(row.tally.samples);
        const auto interval = grader::wilson(row.tally, row.level);
        REQUIRE(interval);
        CHECK(close(interval->low, row.low));
        CHECK(close(interval->high, row.high));
    }
    CHECK(!grader::wilson({0, 0}));
}

TEST_CASE("statistics: mean rate is clustered by task") {
    const auto a = grader::mean_rate(kModelA);
    REQUIRE(a);
    CHECK(close(a->mean, 0.5416666667));
    CHECK(close(a->standard_error, 0.1502313031));
    REQUIRE(a->interval);
    // With t(.975, 5) = 2.57058183563631; SciPy 1.10 is off in the tenth digit (2.5705818366).
    CHECK(close(a->interval->low, 0.1554848077));
    CHECK(close(a->interval->high, 0.9278485257));
    const auto b = grader::mean_rate(kModelB);
    REQUIRE(b);
    CHECK(close(b->mean, 0.75));
    CHECK(close(b->standard_error, 0.1290994449));
    CHECK(b->interval->high == 1);  // 1.0818 before the cut
}

TEST_CASE("statistics: one task has no interval, no samples no mean") {
    const auto one = grader::mean_rate(std::vector<Tally>{{3, 4}, {0, 0}});
    REQUIRE(one);
    CHECK(one->mean == 0.75);
    CHECK(!one->standard_error);
    CHECK(!one->interval);
    CHECK(!grader::mean_rate(std::vector<Tally>{{0, 0}}));
}

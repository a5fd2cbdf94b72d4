// evaluate() against simulate(): every mapping of small shapes, and seeded random ones.
// Not against other programs: golden_test.cpp does that.
// Run by the unit suite.
#include "tests/support/agreement.hpp"

#include "reference/generate.hpp"
#include "reference/random.hpp"
#include "reference/shifts.hpp"
#include "tests/support/model_case.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/wild_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>

using reference::Case;
using reference::Semantics;
using tests::model_case;
using tests::ModelCase;

namespace {

/// In every dialect; at a difference the smallest case that shows it is printed.
void check_agreement(const Case& input) {
    static std::size_t turn = 0;
    for (const Semantics& semantics : tests::all_semantics()) {
        if (tests::kSanitized && ++turn % 11 != 0) continue;
        if (tests::disagreement(tests::evaluated, tests::simulated, input, semantics).empty())
            continue;
        FAIL(tests::counterexample(tests::evaluated, tests::simulated, input, semantics).text);
    }
}

/// Every way to place the prime factors of the dimensions as loops: temporal or spatial at each of
/// the levels, in every order within a level. Calls `visit` with each.
std::size_t every_placement(const std::string& tensors, std::size_t levels,
                            const std::vector<std::string>& factors,
                            const std::function<void(Case&)>& visit) {
    const std::size_t places = 2 * levels;
    std::vector<std::size_t> order(factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::set<std::vector<std::string>> seen;
    do {
        for (std::size_t code = 0;; ++code) {
            std::vector<std::string> text(places);
            std::size_t rest = code;
            for (const std::size_t factor : order) {
                text[rest % places] += " " + factors[factor];
                rest /= places;
            }
            if (rest != 0) break;
            if (!seen.insert(text).second) continue;
            std::vector<std::string> joined;
            for (std::size_t level = 0; level < levels; ++level)
                joined.push_back(text[2 * level] + "/" + text[2 * level + 1]);
            ModelCase made = model_case(tensors, {joined.begin(), joined.end()});
            Case c{made.workload, made.architecture, made.mapping};
            visit(c);
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return seen.size();
}

/// The same with every choice of what the inner levels keep.
void with_every_bypass(Case& c) {
    const std::size_t tensors = c.workload.data_spaces.size();
    const std::size_t choices = std::size_t{1} << (tensors * (c.mapping.levels.size() - 1));
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::size_t bits = choice;
        for (std::size_t level = 1; level < c.mapping.levels.size(); ++level)
            for (std::size_t d = 0; d < tensors; ++d, bits >>= 1U)
                c.mapping.levels[level].keep[d] = (bits & 1U) == 0;
        check_agreement(c);
    }
}

}  // namespace

TEST_CASE("agreement: every two-level gemm of 2 x 4 x 3, bypass included") {
    CHECK(every_placement("A:M,K B:K,N Z=M,N", 2, {"M2", "N2", "N2", "K3"}, with_every_bypass) ==
          420);
}

TEST_CASE("agreement: every three-level gemm of 2 x 3 x 2, bypass included") {
    CHECK(every_placement("A:M,K B:K,N Z=M,N", 3, {"M2", "N3", "K2"}, with_every_bypass) == 336);
}

TEST_CASE("agreement: every three-level 1-d convolution of 4 outputs and 3 taps") {
    CHECK(every_placement("I:P+R W:R O=P", 3, {"P2", "P2", "R3"}, with_every_bypass) == 168);
}

TEST_CASE("agreement: every two-level strided 1-d convolution") {
    CHECK(every_placement("I:2P+R W:R O=P", 2, {"P2", "P2", "R2", "R2"}, with_every_bypass) == 210);
}

TEST_CASE("agreement: every two-level 2-d convolution of 2 x 2 outputs, 3 x 3 taps") {
    CHECK(every_placement("I:P+R,Q+S W:R,S O=P,Q", 2, {"P2", "Q2", "R3", "S3"}, check_agreement) ==
          840);
}

TEST_CASE("agreement: a hundred thousand random mappings, all dialects in turn") {
    const auto semantics = tests::all_semantics();
    reference::Seed seed{};
    seed[0] = 42;
    for (std::uint64_t stream = 0; stream < (tests::kSanitized ? 10'000 : 100'000); ++stream) {
        reference::Random random(seed, stream);
        const Case input = tests::wild_case(random, 120);
        const Semantics& now = semantics[stream % semantics.size()];
        if (tests::disagreement(tests::evaluated, tests::simulated, input, now).empty()) continue;
        FAIL(tests::counterexample(tests::evaluated, tests::simulated, input, now).text);
    }
}

TEST_CASE("agreement: cases that are made for tasks, every dialect") {
    const reference::GenerateLimits limits{.max_steps = 300, .max_iterations = 3000};
    for (const std::string_view family : reference::generator_families()) {
        for (std::uint64_t number = 0; number < 60; ++number) {
            const auto input = reference::generate(family, limits, {}, number);
            REQUIRE(input.has_value());
            check_agreement(*input);
        }
    }
}

TEST_CASE("agreement: distinct shifts are those of an enumeration") {
    reference::Random random({}, 7);
    for (int round = 0; round < 3000; ++round) {
        std::vector<reference::SpatialStep> loops(random.below(5));
        std::set<reference::Shift> places{reference::Shift{}};
        for (auto& loop : loops) {
            loop = {reference::Shift{}, static_cast<std::int64_t>(1 + random.below(5))};
            for (std::size_t r = 0; r < 3; ++r)
                if (random.below(2) == 0) loop.step[r] = static_cast<std::int64_t>(random.below(7));
            std::set<reference::Shift> next;
            for (reference::Shift place : places) {
                for (std::int64_t i = 0; i < loop.bound; ++i) {
                    next.insert(place);
                    for (std::size_t r = 0; r < 3; ++r) place[r] += loop.step[r];
                }
            }
            places = std::move(next);
        }
        CHECK(reference::distinct_shifts(loops) == static_cast<std::int64_t>(places.size()));
    }
}

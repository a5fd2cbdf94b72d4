// The property tests' own tools: wild cases, shrinking, and counterexamples as text.
// Engines that are wrong on purpose show that a difference is found and made small.
// Run by the unit suite.
#include "tests/support/shrink.hpp"

#include "reference/case_toml.hpp"
#include "reference/document.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/wild_case.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

using reference::Case;
using reference::Dialect;
using reference::Result;
using reference::Semantics;
using reference::Traffic;

namespace {

constexpr int kCases = 2000;

Case case_number(std::uint64_t stream) {
    reference::Random random({}, stream);
    return tests::wild_case(random, 120);
}

Case parsed(const std::string& text) {
    const auto read = [&](auto reader, const auto&... with) {
        const auto document = reference::Document::parse(text, "text");
        REQUIRE_MESSAGE(document.has_value(), text);
        const auto value = reader(*document, with...);
        REQUIRE_MESSAGE(value.has_value(), (value ? "" : value.error().what));
        return *value;
    };
    Case c;
    c.workload = read(reference::read_workload);
    c.architecture = read(reference::read_architecture);
    c.mapping = read(reference::read_mapping, c.workload, c.architecture);
    return c;
}

/// What is left of the first wild case in which an engine is not the walk, and how many are such.
struct Hunt {
    std::optional<tests::Counterexample> first;
    int found = 0;
};

Hunt hunt(const tests::Engine& engine, const Semantics& semantics) {
    Hunt out;
    for (std::uint64_t stream = 0; stream < kCases; ++stream) {
        const Case input = case_number(stream);
        if (tests::disagreement(engine, tests::simulated, input, semantics).empty()) continue;
        ++out.found;
        if (!out.first)
            out.first = tests::counterexample(engine, tests::simulated, input, semantics);
    }
    return out;
}

/// The text of a counterexample after its semantics and its differences.
std::string toml_in(const std::string& text) {
    return text.substr(text.find("version = 1"));
}

std::size_t loops_of(const Case& input) {
    std::size_t loops = 0;
    for (const auto& level : input.mapping.levels)
        loops += level.temporal.size() + level.spatial.size();
    return loops;
}

std::int64_t iterations(const Case& input) {
    std::int64_t product = 1;
    for (const auto& dimension : input.workload.dimensions) product *= dimension.size;
    return product;
}

}  // namespace

TEST_CASE("shrink: a case is the same when its text is read") {
    for (std::uint64_t stream = 0; stream < 300; ++stream) {
        const Case input = case_number(stream);
        CHECK(parsed(reference::case_toml(input)) == input);
    }
}

TEST_CASE("shrink: every step is legal, and there are no steps for ever") {
    for (std::uint64_t stream = 0; stream < 50; ++stream) {
        const Case input = case_number(stream);
        for (const Case& next : tests::smaller(input)) {
            CHECK(check_case(next.workload, next.architecture, next.mapping).has_value());
            CHECK(next != input);
        }
        const Case least = tests::shrink(input, [](const Case&) { return true; });
        CHECK(loops_of(least) == 0);
        CHECK(least.mapping.levels.size() == 1);
        CHECK(least.workload.data_spaces.size() == 1);
    }
}

TEST_CASE("shrink: an engine without the rule before 2025 is caught by a loop that stands still") {
    const auto wrong = [](const Case& input, const Semantics& semantics) {
        return tests::evaluated(input, {Dialect::timeloop, semantics.links, false});
    };
    const Hunt found = hunt(wrong, {Dialect::timeloop_2024, false, false});
    CHECK(found.found > kCases / 100);
    REQUIRE(found.first.has_value());
    const Case& least = found.first->input;
    CHECK(least.mapping.levels.size() == 2);
    CHECK(loops_of(least) <= 3);  // one moves the window, one stands still, one widens the tile
    INFO(found.first->text);
    CHECK(iterations(least) <= 8);
    CHECK(parsed(toml_in(found.first->text)) == least);
    CHECK(found.first->text.find("timeloop-2024, no links, no extrapolation") == 0);
}

TEST_CASE("shrink: an engine that never asks a neighbour is caught by two instances") {
    const auto wrong = [](const Case& input, const Semantics& semantics) {
        return tests::evaluated(input, {semantics.dialect, false, semantics.extrapolation});
    };
    const Hunt found = hunt(wrong, reference::kTimeloop);
    CHECK(found.found > kCases / 100);
    REQUIRE(found.first.has_value());
    CHECK(loops_of(found.first->input) == 2);  // one spatial, one that shifts by as much
    CHECK(iterations(found.first->input) == 4);
    CHECK(parsed(toml_in(found.first->text)) == found.first->input);
}

TEST_CASE("shrink: an engine that walks all iterations is caught by a loop of three") {
    const auto wrong = [](const Case& input, const Semantics& semantics) {
        return tests::evaluated(input, {semantics.dialect, semantics.links, false});
    };
    const Hunt found = hunt(wrong, {Dialect::timeloop, false, true});
    CHECK(found.found > kCases / 200);
    REQUIRE(found.first.has_value());
    CHECK(iterations(found.first->input) <= 12);
}

TEST_CASE("shrink: an engine that takes bypassed levels for kept ones is caught") {
    const auto wrong = [](const Case& input, const Semantics& semantics) -> Result<Traffic> {
        Case all_kept = input;
        for (auto& level : all_kept.mapping.levels) level.keep.assign(level.keep.size(), true);
        auto traffic = tests::evaluated(all_kept, semantics);
        if (!traffic) return traffic;
        for (std::size_t i = 0; i < traffic->levels.size(); ++i)
            for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d)
                if (!input.mapping.levels[i].keep[d]) traffic->levels[i].movements[d].reset();
        return traffic;
    };
    const Hunt found = hunt(wrong, reference::kExact);
    CHECK(found.found > kCases / 10);
    REQUIRE(found.first.has_value());
    CHECK(loops_of(found.first->input) == 1);  // something is read again that a buffer would keep
    CHECK(found.first->input.mapping.levels.size() == 2);
}

TEST_CASE("shrink: two right engines have no counterexample") {
    CHECK(hunt(tests::evaluated, reference::kTimeloop).found == 0);
}

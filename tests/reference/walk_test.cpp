// The parts of the walk by themselves: sets of words, memory, neighbours, fractions.
// Not what they make together: engines_test.cpp and agreement_test.cpp ask for that.
// Run by the unit suite.
#include "reference/fraction.hpp"
#include "reference/random.hpp"
#include "reference/walk_box.hpp"
#include "reference/walk_links.hpp"
#include "reference/walk_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

using reference::Count;
using reference::Dialect;
using reference::Fraction;
using reference::walk::Box;
using reference::walk::Memory;
using reference::walk::WordSet;

namespace {

using Words = std::set<std::vector<std::int64_t>>;

Words words_in(const Box& box) {
    Words words{{}};
    for (const auto& rank : box) {
        Words longer;
        for (auto word : words) {
            word.push_back(0);
            for (word.back() = rank.first; word.back() < rank.end; ++word.back())
                longer.insert(word);
        }
        words = std::move(longer);
    }
    return words;
}

Words without(const Words& a, const Words& b) {
    Words rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
    return rest;
}

Box random_box(reference::Random& random, std::size_t ranks) {
    Box box(ranks);
    for (auto& rank : box) {
        rank.first = static_cast<std::int64_t>(random.below(4));
        rank.end = rank.first + 1 + static_cast<std::int64_t>(random.below(4));
    }
    return box;
}

/// Words delivered at each of the given places of a tile of three words.
std::vector<std::int64_t> delivered(Dialect dialect, const std::vector<std::int64_t>& places) {
    Memory memory;
    std::vector<std::int64_t> words;
    for (const std::int64_t place : places)
        words.push_back(memory.visit({{place, place + 3}}, dialect).words);
    return words;
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("walk: differences of boxes are those of sets, and equal sets look equal") {
    reference::Random random({}, 11);
    int equal = 0;
    for (int round = 0; round < 4000; ++round) {
        const std::size_t ranks = random.below(4);
        const Box a = random_box(random, ranks);
        const Box b = random_box(random, ranks);
        const WordSet rest = difference(a, b);
        const Words words = without(words_in(a), words_in(b));
        REQUIRE(rest.words == static_cast<std::int64_t>(words.size()));
        if (rest.words > 0) {
            const Words hole = rest.hole.empty() ? Words{} : words_in(rest.hole);
            REQUIRE(without(words_in(rest.hull), hole) == words);
        }
        // Another way to the same set, now and then.
        const Box c = random_box(random, ranks);
        const Box d = random_box(random, ranks);
        const bool same = without(words_in(c), words_in(d)) == words;
        REQUIRE((difference(c, d) == rest) == same);
        equal += same && rest.words > 0 ? 1 : 0;
    }
    CHECK(equal > 20);
}

TEST_CASE("walk: the overlap is kept while the step is the same") {
    CHECK(delivered(Dialect::timeloop, {0, 1, 2, 3}) == Numbers{3, 1, 1, 1});
    CHECK(delivered(Dialect::timeloop, {0, 1, 3, 5}) == Numbers{3, 1, 3, 2});
    CHECK(delivered(Dialect::timeloop, {0, 1, 2, 1, 0}) == Numbers{3, 1, 1, 3, 1});
    CHECK(delivered(Dialect::exact, {0, 1, 3, 5}) == Numbers{3, 1, 2, 2});
    CHECK(delivered(Dialect::exact, {0, 1, 2, 1, 0}) == Numbers{3, 1, 1, 1, 1});
}

TEST_CASE("walk: standing still is a step before 2025") {
    CHECK(delivered(Dialect::timeloop, {0, 0, 1, 1, 2}) == Numbers{3, 0, 1, 0, 1});
    CHECK(delivered(Dialect::timeloop_2024, {0, 0, 1, 1, 2}) == Numbers{3, 0, 3, 0, 3});
    CHECK(delivered(Dialect::timeloop_2024, {0, 1, 1, 2}) == Numbers{3, 1, 3, 1});
}

TEST_CASE("walk: neighbours in rows, the last of them short") {
    using Near = std::vector<std::size_t>;
    // 0 1 2
    // 3 4
    CHECK(reference::walk::neighbours(0, 5, 3) == Near{1, 3});
    CHECK(reference::walk::neighbours(1, 5, 3) == Near{0, 2, 4});
    CHECK(reference::walk::neighbours(2, 5, 3) == Near{1});
    CHECK(reference::walk::neighbours(3, 5, 3) == Near{4, 0});
    CHECK(reference::walk::neighbours(4, 5, 3) == Near{3, 1});
    CHECK(reference::walk::neighbours(0, 1, 1).empty());
}

TEST_CASE("walk: fractions are exact, round half up and know when they are too large") {
    const auto whole = [](std::int64_t n) { return Fraction(Count(n)); };
    CHECK((whole(7) / whole(2)).half_up() == 4);
    CHECK((whole(7) / whole(2)).floor() == 3);
    CHECK((whole(1) / whole(3) + whole(1) / whole(6)).half_up() == 1);
    CHECK((whole(1) / whole(3) + whole(1) / whole(6) - whole(1)).floor() == -1);
    CHECK((whole(1) / whole(3) - whole(1)).half_up() == -1);
    CHECK((whole(2) / whole(3) * whole(3)).half_up() == 2);
    constexpr std::int64_t kMost = INT64_MAX;
    CHECK(whole(kMost).floor() == kMost);
    CHECK((whole(kMost) * whole(kMost) / whole(kMost)).floor() == kMost);
    CHECK_FALSE((whole(kMost) + whole(1)).floor().has_value());
    CHECK_FALSE((whole(kMost) * whole(kMost) * whole(4)).floor().has_value());
    CHECK_FALSE((whole(1) / whole(0)).floor().has_value());
    CHECK_FALSE(Fraction(Count(kMost) + Count(1)).half_up().has_value());
}

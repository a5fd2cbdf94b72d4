// Distinct sums of multiples of vectors. Loops that move no common rank, directly or through
// others, are independent: their counts multiply. Does not allocate but where it must enumerate.
// See shifts.hpp.
#include "reference/shifts.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <set>

namespace reference {

namespace {

constexpr std::int64_t kMaxEnumerated = std::int64_t{1} << 20U;
constexpr std::size_t kMaxLoops = 63;

using Ranks = std::uint32_t;  // one bit a rank
static_assert(kMaxRanks <= 32);

Ranks moved_ranks(const Shift& step) {
    Ranks ranks = 0;
    for (std::size_t r = 0; r < step.size(); ++r)
        if (step[r] != 0) ranks |= Ranks{1} << r;
    return ranks;
}

/// Loops that hang together through the ranks they move.
struct Component {
    std::array<const SpatialStep*, kMaxLoops> loops;  // the first `count` of them
    std::size_t count = 0;
    Ranks ranks = 0;
    [[nodiscard]] std::span<const SpatialStep* const> all() const { return {loops.data(), count}; }
};

std::int64_t combinations(const Component& component) {
    std::int64_t product = 1;
    for (const SpatialStep* loop : component.all()) product *= loop->bound;
    return product;
}

/// One rank, and every step longer than all that the shorter ones reach together: like digits.
bool like_digits(Component component) {
    if ((component.ranks & (component.ranks - 1)) != 0) return false;
    const auto rank = static_cast<std::size_t>(__builtin_ctz(component.ranks));
    std::sort(component.loops.begin(), component.loops.begin() + component.count,
              [rank](const auto* a, const auto* b) { return a->step[rank] < b->step[rank]; });
    std::int64_t reach = 0;
    for (const SpatialStep* loop : component.all()) {
        if (loop->step[rank] <= reach) return false;
        reach += loop->step[rank] * (loop->bound - 1);
    }
    return true;
}

/// i steps of a end where j steps of b end: the smallest such pair, or none if they never meet.
std::optional<std::pair<std::int64_t, std::int64_t>> meeting(const Shift& a, const Shift& b) {
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    for (std::size_t r = 0; r < a.size(); ++r) {
        if (a[r] == 0 && b[r] == 0) continue;
        if (a[r] == 0 || b[r] == 0) return std::nullopt;
        const std::int64_t divisor = std::gcd(a[r], b[r]);
        const std::pair here{b[r] / divisor, a[r] / divisor};
        if (found && *found != here) return std::nullopt;
        found = here;
    }
    return found;
}

/// The pairs (i, j) of equal sum form chains, each link one meeting forward: places = pairs -
/// links.
std::int64_t distinct_of_two(const SpatialStep& a, const SpatialStep& b) {
    const auto meet = meeting(a.step, b.step);
    if (!meet) return a.bound * b.bound;
    const std::int64_t rows = std::max<std::int64_t>(0, a.bound - meet->first);
    const std::int64_t columns = std::max<std::int64_t>(0, b.bound - meet->second);
    return a.bound * b.bound - rows * columns;
}

std::optional<std::int64_t> enumerate(const Component& component) {
    if (combinations(component) > kMaxEnumerated) return std::nullopt;
    std::set<Shift> places{Shift{}};
    for (const SpatialStep* loop : component.all()) {
        std::set<Shift> next;
        for (Shift place : places) {
            for (std::int64_t i = 0; i < loop->bound; ++i) {
                next.insert(place);
                for (std::size_t r = 0; r < place.size(); ++r) place[r] += loop->step[r];
            }
        }
        places = std::move(next);
    }
    return static_cast<std::int64_t>(places.size());
}

/// Takes out of `left` (one bit a loop) the first loop and all that hang together with it.
Component take_component(std::span<const SpatialStep> loops, std::uint64_t& left) {
    Component component;
    component.ranks = moved_ranks(loops[static_cast<std::size_t>(__builtin_ctzll(left))].step);
    for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            const Ranks ranks = moved_ranks(loops[i].step);
            if ((left >> i & 1U) == 0 || (ranks & component.ranks) == 0) continue;
            left &= ~(std::uint64_t{1} << i);
            component.loops[component.count++] = &loops[i];
            component.ranks |= ranks;
            grown = true;
        }
    }
    return component;
}

std::optional<std::int64_t> distinct_in(const Component& component) {
    if (component.count == 1) return component.loops[0]->bound;
    if (component.count == 2) return distinct_of_two(*component.loops[0], *component.loops[1]);
    if (like_digits(component)) return combinations(component);
    return enumerate(component);
}

}  // namespace

std::optional<std::int64_t> distinct_shifts(std::span<const SpatialStep> loops) {
    assert(loops.size() <= kMaxLoops);
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (moved_ranks(loops[i].step) != 0) left |= std::uint64_t{1} << i;
    std::int64_t product = 1;
    while (left != 0) {
        const auto places = distinct_in(take_component(loops, left));
        if (!places) return std::nullopt;
        product *= *places;
    }
    return product;
}

}  // namespace reference

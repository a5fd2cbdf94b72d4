// The definition of the `exact` counting, written as a walk over every iteration.
// Does not share arithmetic with evaluate.cpp beyond tile sizes and cycles. Slow on purpose.
// See simulate.hpp.
#include "reference/simulate.hpp"

#include "reference/checked.hpp"
#include "reference/cycles.hpp"
#include "reference/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace reference {

namespace {

constexpr std::int64_t kMaxVisits = 1'000'000'000;

struct Case {
    const Workload& workload;
    const Architecture& architecture;
    const Mapping& mapping;
};

/// A loop while it runs: its index, and how far one step moves in its dimension.
struct RunningLoop {
    std::size_t level = 0;
    DimensionId dimension{};
    std::int64_t bound = 1;
    std::int64_t stride = 1;  // the product of all bounds of that dimension inside this loop
    std::int64_t index = 0;
};

using Loops = std::vector<RunningLoop>;
using Corner = std::vector<std::int64_t>;  // the smallest coordinate of a box in each rank

/// All temporal, or all spatial, loops of the levels from `first` to before `last`, outermost
/// first.
Loops collect(const Case& c, std::vector<Loop> MappingLevel::*kind, std::size_t first,
              std::size_t last) {
    Loops loops;
    for (std::size_t level = first; level < last; ++level) {
        const auto inner = inner_bounds(c.workload, c.mapping, level + 1);
        std::vector<std::int64_t> stride = inner;
        Loops here;  // found from the innermost loop of the level outwards
        for (const bool temporal : {false, true}) {
            const auto& list =
                temporal ? c.mapping.levels[level].temporal : c.mapping.levels[level].spatial;
            const bool wanted = (kind == &MappingLevel::temporal) == temporal;
            for (auto loop = list.rbegin(); loop != list.rend(); ++loop) {
                std::int64_t& step = stride[index(loop->dimension)];
                if (wanted) here.push_back({level, loop->dimension, loop->bound, step, 0});
                step *= loop->bound;
            }
        }
        loops.insert(loops.end(), here.rbegin(), here.rend());
    }
    return loops;
}

/// To the next combination of indices, the last loop fastest. False after the last combination.
bool advance(Loops& loops) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        if (++loop->index < loop->bound) return true;
        loop->index = 0;
    }
    return false;
}

std::int64_t combinations(const Loops& loops) {
    std::int64_t product = 1;
    for (const RunningLoop& loop : loops) product *= loop.bound;
    return product;
}

/// Where the tile of `level` begins: the loops outside that level place it.
void add_corner(Corner& corner, const DataSpace& data_space, const Loops& loops,
                std::size_t level) {
    for (const RunningLoop& loop : loops) {
        if (loop.level >= level || loop.index == 0) continue;
        for (std::size_t r = 0; r < data_space.ranks.size(); ++r)
            for (const Term& term : data_space.ranks[r])
                if (term.dimension == loop.dimension)
                    corner[r] += term.coefficient * loop.index * loop.stride;
    }
}

Corner corner_of(const DataSpace& data_space, const Loops& temporal, const Loops& spatial,
                 std::size_t level) {
    Corner corner(data_space.ranks.size(), 0);
    add_corner(corner, data_space, temporal, level);
    add_corner(corner, data_space, spatial, level);
    return corner;
}

/// Words of the box at `now` that are not in the box of the same extents at `before`.
std::int64_t new_words(const Corner& before, const Corner& now,
                       const std::vector<std::int64_t>& extents) {
    std::int64_t all = 1;
    std::int64_t common = 1;
    for (std::size_t r = 0; r < extents.size(); ++r) {
        const std::int64_t first = std::max(before[r], now[r]);
        const std::int64_t last = std::min(before[r], now[r]) + extents[r];
        all *= extents[r];
        common *= std::max<std::int64_t>(0, last - first);
    }
    return all - common;
}

/// What passes between a level that keeps a data space and the next inner one that does, or the
/// multiply-accumulate units.
struct Boundary {
    std::size_t parent = 0;
    std::size_t child = 0;  // the number of levels: the units
    bool output = false;
};

struct Passed {
    Count accesses;     // at the parent
    Count first_touch;  // of these, on words never worked on before
    Count arrived;      // in one child
    Count arrived_first;
};

/// The boxes of all children of one parent in this step. Children whose boxes are the same, at
/// their own level and at every bypassed level between, share one access.
std::set<std::vector<Corner>> groups(const DataSpace& data_space, const Boundary& boundary,
                                     const Loops& temporal, Loops& spatial) {
    std::set<std::vector<Corner>> distinct;
    do {
        std::vector<Corner> boxes;
        for (std::size_t level = boundary.parent + 1; level <= boundary.child; ++level)
            boxes.push_back(corner_of(data_space, temporal, spatial, level));
        distinct.insert(std::move(boxes));
    } while (advance(spatial));
    return distinct;
}

Passed walk(const Case& c, const DataSpace& data_space, const Boundary& boundary) {
    Loops temporal = collect(c, &MappingLevel::temporal, 0, boundary.child);
    Loops spatial = collect(c, &MappingLevel::spatial, boundary.parent, boundary.child);
    const auto bounds = inner_bounds(c.workload, c.mapping, boundary.child);
    std::vector<std::int64_t> extents;
    for (const Rank& rank : data_space.ranks) extents.push_back(extent(rank, bounds).value());
    const std::int64_t words = tile_words(data_space, bounds).value();
    const bool units = boundary.child == c.mapping.levels.size();  // they remember nothing

    Passed passed;
    std::set<Corner> worked_on;  // boxes of the output that any child has had
    std::set<Corner> had;        // those that the first child has had
    std::optional<Corner> previous;
    do {
        const Corner now = corner_of(data_space, temporal, {}, boundary.child);
        const std::int64_t moved = previous && !units ? new_words(*previous, now, extents) : words;
        previous = now;
        if (moved == 0) continue;
        passed.arrived += Count(moved);
        if (boundary.output && had.insert(now).second) passed.arrived_first += Count(moved);
        for (const auto& boxes : groups(data_space, boundary, temporal, spatial)) {
            passed.accesses += Count(moved);
            if (boundary.output && worked_on.insert(boxes.back()).second)
                passed.first_touch += Count(moved);
        }
    } while (advance(temporal));
    return passed;
}

/// Steps to be walked for one boundary, all children counted.
Count visits(const Case& c, const Boundary& boundary) {
    Count steps(1);
    steps *= Count(combinations(collect(c, &MappingLevel::temporal, 0, boundary.child)));
    steps *=
        Count(combinations(collect(c, &MappingLevel::spatial, boundary.parent, boundary.child)));
    return steps;
}

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

Result<void> simulate_data_space(const Case& c, std::size_t d, Traffic& traffic) {
    const DataSpace& data_space = c.workload.data_spaces[d];
    const std::size_t levels = c.mapping.levels.size();
    for (std::size_t level = 0; level < levels; ++level)
        if (c.mapping.levels[level].keep[d])
            traffic.levels[level].movements[d] = Movement{
                .tile_words =
                    tile_words(data_space, inner_bounds(c.workload, c.mapping, level)).value()};
    for (std::size_t parent = 0; parent < levels; ++parent) {
        if (!c.mapping.levels[parent].keep[d]) continue;
        std::size_t child = parent + 1;
        while (child < levels && !c.mapping.levels[child].keep[d]) ++child;
        const Boundary boundary{parent, child, data_space.output};
        const Count steps = visits(c, boundary);
        if (steps.too_large() || steps.value() > kMaxVisits)
            return overflow(data_space, "too many steps to walk");
        const Passed passed = walk(c, data_space, boundary);
        if (passed.accesses.too_large()) return overflow(data_space, "over 2^63-1 words");
        Movement& outer = *traffic.levels[parent].movements[d];
        outer.reads = passed.accesses.value() - passed.first_touch.value();
        if (data_space.output) outer.updates = passed.accesses.value();
        if (child < levels)
            traffic.levels[child].movements[d]->fills =
                passed.arrived.value() - passed.arrived_first.value();
    }
    return {};
}

}  // namespace

Result<Traffic> simulate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics) {
    if (semantics != kExact)
        return tl::unexpected(Error{Error::Code::inconsistent, "only exact counting yet"});
    if (auto ok = check_case(workload, architecture, mapping); !ok)
        return tl::unexpected(std::move(ok).error());
    const Case c{workload, architecture, mapping};
    Traffic traffic;
    std::int64_t instances = 1;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        LevelTraffic& here = traffic.levels.emplace_back();
        here.name = architecture.levels[level].name;
        here.instances = instances;
        here.movements.resize(workload.data_spaces.size());
        instances *= combinations(collect(c, &MappingLevel::spatial, level, level + 1));
    }
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d)
        if (auto ok = simulate_data_space(c, d, traffic); !ok)
            return tl::unexpected(std::move(ok).error());
    const std::int64_t steps =
        combinations(collect(c, &MappingLevel::temporal, 0, mapping.levels.size()));
    traffic.computes = steps * instances;
    if (auto ok = count_cycles(architecture, steps, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

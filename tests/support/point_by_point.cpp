// Every iteration is put down at each level with the time and the place where it happens; tiles,
// moves and sharing are read off from that.
// Does not reckon with bounds of tiles.
// See point_by_point.hpp.
#include "tests/support/point_by_point.hpp"

#include "reference/cycles.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tests {

namespace {

using reference::Case;
using reference::Loop;
using Indices = std::vector<std::int64_t>;
using Words = std::set<Indices>;

/// The smallest and the largest coordinates of some iterations; all words between are held.
struct Hull {
    Indices least;
    Indices most;
    void add(const Indices& at) {
        if (least.empty()) least = most = at;
        for (std::size_t r = 0; r < at.size(); ++r) {
            least[r] = std::min(least[r], at[r]);
            most[r] = std::max(most[r], at[r]);
        }
    }
    [[nodiscard]] Words words() const {
        Words all;
        for (Indices at = least;;) {
            all.insert(at);
            std::size_t r = at.size();
            while (r > 0 && at[r - 1] == most[r - 1]) --r, at[r] = least[r];
            if (r == 0) return all;
            ++at[r - 1];
        }
    }
};

/// When and where: indices of the temporal and of the spatial loops outside a level.
struct Moment {
    Indices time;
    Indices place;
    auto operator<=>(const Moment&) const = default;
};

/// Per level, the units last, per moment the words of a data space that are worked on.
using Tiles = std::vector<std::map<Moment, Words>>;

std::size_t loops_outside(const Case& input, std::vector<Loop> reference::MappingLevel::*kind,
                          std::size_t level) {
    std::size_t loops = 0;
    for (std::size_t i = 0; i < level; ++i) loops += (input.mapping.levels[i].*kind).size();
    return loops;
}

Indices first(const Indices& all, std::size_t count) {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Calls `visit(at, moment)` with every iteration: its indices per dimension, and those of all
/// loops.
template <class Visit>
void every_iteration(const Case& input, const Visit& visit) {
    std::vector<std::pair<const Loop*, bool>> loops;  // outermost first; true: temporal
    for (const auto& level : input.mapping.levels) {
        for (const Loop& loop : level.temporal) loops.emplace_back(&loop, true);
        for (const Loop& loop : level.spatial) loops.emplace_back(&loop, false);
    }
    Indices indices(loops.size(), 0);
    for (;;) {
        Indices at(input.workload.dimensions.size(), 0);
        Moment moment;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            std::int64_t& index_of = at[index(loops[i].first->dimension)];
            index_of = index_of * loops[i].first->bound + indices[i];
            (loops[i].second ? moment.time : moment.place).push_back(indices[i]);
        }
        bool inside = true;
        for (std::size_t d = 0; d < at.size(); ++d)
            inside = inside && at[d] < input.workload.dimensions[d].size;
        if (inside) visit(at, moment);
        std::size_t i = loops.size();
        while (i > 0 && indices[i - 1] + 1 == loops[i - 1].first->bound) --i, indices[i] = 0;
        if (i == 0) return;
        ++indices[i - 1];
    }
}

Moment moment_at(const Case& input, const Moment& innermost, std::size_t level) {
    return {first(innermost.time, loops_outside(input, &reference::MappingLevel::temporal, level)),
            first(innermost.place, loops_outside(input, &reference::MappingLevel::spatial, level))};
}

Tiles tiles_of(const Case& input, const reference::DataSpace& space) {
    std::vector<std::map<Moment, Hull>> hulls(input.mapping.levels.size() + 1);
    every_iteration(input, [&](const Indices& at, const Moment& moment) {
        Indices word;
        for (const auto& rank : space.ranks) {
            std::int64_t sum = 0;
            for (const auto& term : rank) sum += term.coefficient * at[index(term.dimension)];
            word.push_back(sum);
        }
        for (std::size_t level = 0; level < hulls.size(); ++level)
            hulls[level][moment_at(input, moment, level)].add(word);
    });
    Tiles tiles(hulls.size());
    for (std::size_t level = 0; level < hulls.size(); ++level)
        for (const auto& [moment, hull] : hulls[level]) tiles[level][moment] = hull.words();
    return tiles;
}

/// Sums over all instances.
struct Sums {
    std::int64_t accesses = 0;  // of the parents
    std::int64_t first = 0;     // to words that the parent's children have not worked on before
    std::int64_t received = 0;  // by the children
    std::int64_t received_first = 0;
};

Sums between(const Case& input, const Tiles& tiles, std::size_t parent, std::size_t child) {
    Sums sums;
    std::map<Indices, Words> held;                             // per child
    std::map<Indices, Words> parent_knows;                     // per parent
    std::map<Indices, Words> child_knows;                      // per child
    std::set<std::pair<Moment, std::vector<Words>>> distinct;  // per parent and time
    for (const auto& [moment, tile] : tiles[child]) {
        Words needed;
        const Words& before = held[moment.place];
        std::set_difference(tile.begin(), tile.end(), before.begin(), before.end(),
                            std::inserter(needed, needed.end()));
        if (child == input.mapping.levels.size()) needed = tile;  // units hold nothing
        held[moment.place] = tile;
        if (needed.empty()) continue;
        const auto count = static_cast<std::int64_t>(needed.size());
        const Moment parents = moment_at(input, moment, parent);
        std::vector<Words> same{needed};
        for (std::size_t level = parent + 1; level < child; ++level)
            same.push_back(tiles[level].at(moment_at(input, moment, level)));
        if (distinct.insert({{moment.time, parents.place}, same}).second) sums.accesses += count;
        sums.received += count;
        for (const Indices& word : needed) {
            sums.first += parent_knows[parents.place].insert(word).second ? 1 : 0;
            sums.received_first += child_knows[moment.place].insert(word).second ? 1 : 0;
        }
    }
    return sums;
}

std::int64_t half_up(std::int64_t sum, std::int64_t over) {
    return (2 * sum + over) / (2 * over);
}

void count_data_space(const Case& input, std::size_t d, reference::Traffic& traffic) {
    const auto& space = input.workload.data_spaces[d];
    const Tiles tiles = tiles_of(input, space);
    const std::size_t units = input.mapping.levels.size();
    for (std::size_t level = 0; level < units; ++level) {
        auto& here = traffic.levels[level];
        std::set<Indices> places;
        std::size_t most = 0;
        for (const auto& [moment, tile] : tiles[level]) {
            places.insert(moment.place);
            most = std::max(most, tile.size());
        }
        here.instances = static_cast<std::int64_t>(places.size());
        if (input.mapping.levels[level].keep[d])
            here.movements[d].emplace().tile_words = static_cast<std::int64_t>(most);
    }
    for (std::size_t parent = 0, child = 0; parent < units; parent = child) {
        for (child = parent + 1; child < units && !input.mapping.levels[child].keep[d];) ++child;
        const Sums sums = between(input, tiles, parent, child);
        auto& outer = traffic.levels[parent].movements[d]->total;
        outer.reads = sums.accesses - (space.output ? sums.first : 0);
        if (space.output) outer.updates = sums.accesses;
        if (child < units)
            traffic.levels[child].movements[d]->total.fills =
                sums.received - (space.output ? sums.received_first : 0);
    }
}

}  // namespace

reference::Traffic count_points(const Case& input) {
    reference::Traffic traffic;
    std::set<Indices> times;
    std::set<Indices> units;
    every_iteration(input, [&](const Indices&, const Moment& moment) {
        ++traffic.computes;
        times.insert(moment.time);
        units.insert(moment.place);
    });
    for (const auto& level : input.architecture.levels) {
        traffic.levels.push_back({.name = level.name});
        traffic.levels.back().movements.resize(input.workload.data_spaces.size());
    }
    for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d)
        count_data_space(input, d, traffic);
    for (auto& level : traffic.levels) {
        for (auto& movement : level.movements) {
            if (!movement) continue;
            movement->reads = half_up(movement->total.reads, level.instances);
            movement->fills = half_up(movement->total.fills, level.instances);
            movement->updates = half_up(movement->total.updates, level.instances);
        }
    }
    reference::Architecture architecture = input.architecture;
    if (!architecture.compute)
        architecture.compute = {"units", static_cast<std::int64_t>(units.size()), {}};
    (void)count_cycles(architecture, static_cast<std::int64_t>(times.size()),
                       reference::Dialect::exact, traffic);
    return traffic;
}

void cut(Case& input, reference::DimensionId dimension, std::int64_t size) {
    input.workload.dimensions[index(dimension)].size = size;
    std::int64_t rest = size - 1;
    for (auto level = input.mapping.levels.rbegin(); level != input.mapping.levels.rend();
         ++level) {
        for (auto* loops : {&level->spatial, &level->temporal}) {
            for (auto loop = loops->rbegin(); loop != loops->rend(); ++loop) {
                if (loop->dimension != dimension) continue;
                const std::int64_t last = rest % loop->bound + 1;
                loop->last_bound = last == loop->bound ? 0 : last;
                rest /= loop->bound;
            }
        }
    }
}

}  // namespace tests

// Timeloop's walk over the rounds of loops with remainders. It looks at the first child of the
// first parent only and takes the others to need the same, shifted, if they have work at all. Does
// not turn words into cycles or sum up levels: flow.cpp and cycles.cpp do. See rounds.hpp.
#include "reference/rounds.hpp"

#include "reference/cycles.hpp"
#include "reference/flow.hpp"
#include "reference/walk_counts.hpp"
#include "reference/walk_links.hpp"
#include "reference/walk_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace reference {

namespace {

/// A loop of bound 2 or more, as it runs.
struct Round {
    std::size_t level = 0;
    std::size_t dimension = 0;
    std::int64_t bound = 1;
    std::int64_t last = 1;
    std::int64_t stride = 1;
    bool spatial = false;
    std::int64_t index = 0;
};

using Rounds = std::vector<Round>;  // outermost first
using Indices = std::vector<std::int64_t>;

Rounds rounds_of(const Mapping& mapping) {
    Rounds rounds;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level)
        for (const bool spatial : {false, true})
            for (const Loop& loop :
                 spatial ? mapping.levels[level].spatial : mapping.levels[level].temporal)
                if (loop.bound > 1)
                    rounds.push_back(
                        {level, index(loop.dimension), loop.bound, loop.last(), 1, spatial, 0});
    for (std::size_t i = 0; i < rounds.size(); ++i)
        for (std::size_t inner = i + 1; inner < rounds.size(); ++inner)
            if (rounds[inner].dimension == rounds[i].dimension)
                rounds[i].stride *= rounds[inner].bound;
    return rounds;
}

/// Of one dimension of a nest whose spatial loops outside level `lanes` stand at 0.
struct Iterations {
    std::int64_t all = 1;
    std::int64_t at_end = 1;  // of these, with all of its loops in their last round: 0 or 1
};

Iterations iterations(const Rounds& rounds, std::size_t dimension, std::size_t end,
                      std::size_t lanes) {
    Iterations count;
    std::int64_t full = 1;  // iterations of the loops so far where none is at its end
    std::vector<const Round*> loops;
    for (const Round& round : rounds)
        if (round.dimension == dimension && round.level < end) loops.push_back(&round);
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {  // from inside outwards
        if ((*loop)->spatial && (*loop)->level < lanes) {
            if ((*loop)->last != 1) count = {full, 0};
            continue;
        }
        count.all += ((*loop)->last - 1) * full;
        full *= (*loop)->bound;
    }
    return count;
}

/// What passes each boundary, and how many instances have work.
class Boundaries {
  public:
    Boundaries(const Workload& workload, const Architecture& architecture, const Mapping& mapping,
               const Semantics& semantics)
        : workload_(workload), semantics_(semantics), rounds_(rounds_of(mapping)) {
        const walk::Walk walk{workload, architecture, mapping, semantics, true};
        for (std::size_t level = 0; level < mapping.levels.size(); ++level)
            widths_.push_back(walk::row_width(walk, level));
        ragged_.assign(workload.dimensions.size(), false);
        for (const Round& round : rounds_)
            if (round.last != round.bound) ragged_[round.dimension] = true;
    }

    /// Iterations of each dimension in one instance of `level`, or in all children of one instance
    /// of the level outside it together. A dimension without a full round outside is short.
    [[nodiscard]] Indices tile_bounds(std::size_t level, bool with_siblings) const {
        Indices bounds(workload_.dimensions.size(), 1);
        for (std::size_t d = 0; d < bounds.size(); ++d) {
            bool short_one = true;
            for (const Round& round : rounds_)
                if (round.dimension == d && !inside(round, level, with_siblings))
                    short_one = short_one && round.last == 1;
            for (const Round& round : rounds_)
                if (round.dimension == d && inside(round, level, with_siblings))
                    bounds[d] += ((short_one ? round.last : round.bound) - 1) * round.stride;
        }
        return bounds;
    }

    /// Children with work of one parent, in the mean over the steps of the first parent.
    [[nodiscard]] Fraction children(std::size_t parent) const {
        Fraction mean = Fraction::of(1);
        for (std::size_t d = 0; d < workload_.dimensions.size(); ++d) {
            Rounds outer = rounds_;
            std::erase_if(
                outer, [&](const Round& round) { return round.level == parent && round.spatial; });
            const Iterations steps = iterations(outer, d, parent + 1, 0);
            std::int64_t full = 1;
            std::int64_t at_end = 1;
            for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
                if (round->dimension != d || round->level != parent || !round->spatial) continue;
                at_end += (round->last - 1) * full;
                full *= round->bound;
            }
            const Count active =
                Count(steps.all - steps.at_end) * Count(full) + Count(steps.at_end) * Count(at_end);
            mean = mean * Fraction(active) / Fraction(Count(steps.all));
        }
        return mean;
    }

    /// Operations of all units. Timeloop takes the lanes of the first instance, all of them in the
    /// first step, times the mean number of instances, and cuts; then as many operations as those
    /// lanes have in the mean. Each cut is one of the products here.
    [[nodiscard]] std::optional<std::int64_t> computes(const Fraction& instances,
                                                       std::size_t levels) const {
        Count lanes(1);
        for (const Round& round : rounds_)
            if (round.spatial && round.level + 1 == levels) lanes *= Count(round.bound);
        Count operations(1);  // of one instance
        for (std::size_t d = 0; d < workload_.dimensions.size(); ++d)
            operations *= Count(iterations(rounds_, d, levels, levels - 1).all);
        const auto units = (instances * Fraction(lanes)).floor();
        if (!units) return std::nullopt;
        return (Fraction::of(*units) * Fraction(operations) / Fraction(lanes)).floor();
    }

    /// What passes from level child - 1 inwards. None: over 10^9 visits.
    std::optional<Passed> pass(std::size_t data_space, std::size_t child, bool child_is_units) {
        walk_ = {};
        walk_.space = &workload_.data_spaces[data_space];
        walk_.child = child;
        walk_.units = child_is_units;
        for (std::size_t i = 0; i < rounds_.size(); ++i) {
            Round& round = rounds_[i];
            round.index = 0;
            if (round.level >= child) break;
            if (!round.spatial) walk_.time.push_back(i);
            if (round.spatial && round.level + 1 == child) walk_.space_loops.push_back(i);
        }
        for (const std::size_t i : walk_.space_loops) walk_.passed.children *= rounds_[i].bound;
        walk_.passed.uniform = false;
        walk_.before.resize(static_cast<std::size_t>(walk_.passed.children));
        if (!run(0, Count(1))) return std::nullopt;
        return walk_.passed;
    }

  private:
    struct State {
        const DataSpace* space = nullptr;
        std::size_t child = 0;
        bool units = false;
        std::vector<std::size_t> time;         // indices of the temporal loops, outermost first
        std::vector<std::size_t> space_loops;  // of the children, outermost first
        walk::Memory memory;
        std::vector<walk::WordSet> before;  // of each child at the visit just before
        std::int64_t visits = 0;
        Passed passed;
    };

    static bool inside(const Round& round, std::size_t level, bool with_siblings) {
        return round.level >= level || (with_siblings && round.spatial && round.level + 1 == level);
    }

    /// All loops of the dimension outside round i are in their last round.
    [[nodiscard]] bool at_end(std::size_t i) const {
        for (std::size_t outer = 0; outer < i; ++outer)
            if (rounds_[outer].dimension == rounds_[i].dimension &&
                rounds_[outer].index != rounds_[outer].last - 1)
                return false;
        return true;
    }

    /// Whole loops without the shortcut; with it the first round, the second for all others, and,
    /// in dimensions with remainders, the last. Timeloop takes the last one as one more of the
    /// second where the loop is the innermost before the boundary, but still remembers it.
    bool run(std::size_t position, Count weight) {
        if (position == walk_.time.size()) return visit(weight);
        const std::size_t i = walk_.time[position];
        Round& round = rounds_[i];
        const std::int64_t bound = at_end(i) ? round.last : round.bound;
        const auto at = [&](std::int64_t index, std::int64_t times) {
            round.index = index;
            return run(position + 1, weight * Count(times));
        };
        bool ok = true;
        if (!semantics_.extrapolation) {
            for (std::int64_t index = 0; ok && index < bound; ++index) ok = at(index, 1);
        } else {
            const bool runs_last = ragged_[round.dimension] && bound >= 3;
            const bool innermost = position + 1 == walk_.time.size() &&
                                   round.level + 1 == walk_.child && walk_.space_loops.empty();
            ok = at(0, 1);
            if (bound >= 2) ok = ok && at(1, bound - 1 - (runs_last && !innermost ? 1 : 0));
            if (runs_last) ok = ok && at(bound - 1, innermost ? 0 : 1);
        }
        round.index = 0;
        return ok;
    }

    bool visit(Count weight) {
        if (++walk_.visits > walk::kMaxVisits / walk_.passed.children) return false;
        const walk::Box first = tile();
        const walk::WordSet needed =
            walk_.units ? walk::all_of(first) : walk_.memory.visit(first, semantics_.dialect);
        std::vector<walk::WordSet> now(walk_.before.size());  // empty without work
        for (std::size_t child = 0; child < now.size(); ++child) {
            place(child);
            if (has_work()) now[child] = shifted(needed, first);
        }
        place(0);
        serve(now, weight);
        walk_.before = std::move(now);
        return true;
    }

    /// Lets the loops of the children stand at child number `child`, the last loop fastest.
    void place(std::size_t child) {
        for (auto i = walk_.space_loops.rbegin(); i != walk_.space_loops.rend(); ++i) {
            rounds_[*i].index = static_cast<std::int64_t>(child) % rounds_[*i].bound;
            child /= static_cast<std::size_t>(rounds_[*i].bound);
        }
    }

    [[nodiscard]] bool has_work() const {
        return std::all_of(walk_.space_loops.begin(), walk_.space_loops.end(), [&](std::size_t i) {
            return rounds_[i].index < rounds_[i].last || !at_end(i);
        });
    }

    [[nodiscard]] std::int64_t corner(const Rank& rank) const {
        std::int64_t sum = 0;
        for (const Term& term : rank)
            for (const Round& round : rounds_)
                if (round.dimension == index(term.dimension) && round.level < walk_.child)
                    sum += term.coefficient * round.index * round.stride;
        return sum;
    }

    /// Of the child at which the loops stand.
    [[nodiscard]] walk::Box tile() const {
        Indices bounds(workload_.dimensions.size(), 1);
        for (std::size_t i = 0; i < rounds_.size(); ++i) {
            const Round& round = rounds_[i];
            if (round.level < walk_.child) continue;
            bool short_one = true;
            for (const Round& outer : rounds_)
                if (outer.dimension == round.dimension && outer.level < walk_.child)
                    short_one = short_one && outer.index == outer.last - 1;
            bounds[round.dimension] += ((short_one ? round.last : round.bound) - 1) * round.stride;
        }
        walk::Box box;
        for (const Rank& rank : walk_.space->ranks) {
            const std::int64_t first = corner(rank);
            std::int64_t end = first + 1;
            for (const Term& term : rank)
                end += term.coefficient * (bounds[index(term.dimension)] - 1);
            box.push_back({first, end});
        }
        return box;
    }

    /// To where the loops stand, from the first child.
    [[nodiscard]] walk::WordSet shifted(walk::WordSet set, const walk::Box& first) const {
        for (std::size_t r = 0; r < set.hull.size(); ++r) {
            const std::int64_t by = corner(walk_.space->ranks[r]) - first[r].first;
            set.hull[r] = {set.hull[r].first + by, set.hull[r].end + by};
            if (!set.hole.empty()) set.hole[r] = {set.hole[r].first + by, set.hole[r].end + by};
        }
        return set;
    }

    void serve(const std::vector<walk::WordSet>& now, Count weight) {
        std::map<walk::WordSet, std::int64_t> all;
        std::map<walk::WordSet, std::int64_t> fewer;  // without those whom a neighbour serves
        std::int64_t linked = 0;
        for (std::size_t child = 0; child < now.size(); ++child) {
            if (now[child].words == 0) continue;
            ++all[now[child]];
            const auto near = walk::neighbours(child, now.size(), widths_[walk_.child - 1]);
            const bool served =
                semantics_.links && std::any_of(near.begin(), near.end(), [&](std::size_t n) {
                    return walk_.before[n] == now[child];
                });
            if (served)
                ++linked;
            else
                ++fewer[now[child]];
        }
        if (all.empty()) return;
        const bool link = fewer.size() < all.size();
        const Count words = weight * Count(all.begin()->first.words);
        for (const auto& [need, children] : link ? fewer : all) {
            walk_.passed.accesses += words;
            walk_.passed.served += words * Count(children);
        }
        if (link) walk_.passed.links += words * Count(linked);
    }

    const Workload& workload_;
    const Semantics semantics_;
    Rounds rounds_;
    std::vector<std::int64_t> widths_;
    std::vector<bool> ragged_;
    State walk_;
};

std::int64_t words_of(const DataSpace& space, const Indices& bounds) {
    std::int64_t words = 1;
    for (const Rank& rank : space.ranks) {
        std::int64_t extent = 1;
        for (const Term& term : rank)
            extent += term.coefficient * (bounds[index(term.dimension)] - 1);
        words *= extent;
    }
    return words;
}

tl::unexpected<Error> overflow(const DataSpace& space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", space.name, what)});
}

Result<std::vector<LevelFlow>> flows_of(Boundaries& boundaries, const DataSpace& space,
                                        std::size_t d, std::size_t levels) {
    std::vector<LevelFlow> flows(levels);
    for (std::size_t level = 0; level < levels; ++level) {
        LevelFlow& flow = flows[level];
        flow.tile_words = words_of(space, boundaries.tile_bounds(level, false));
        flow.partition_words =
            level == 0 ? flow.tile_words
                       : partition(flows[level - 1].partition_words, flow.tile_words,
                                   words_of(space, boundaries.tile_bounds(level, true)));
        const auto passed = boundaries.pass(d, level + 1, level + 1 == levels);
        if (!passed) return overflow(space, "too many steps to walk");
        flow.inwards = *passed;
    }
    return flows;
}

/// words x working / mapped, rounded up.
std::optional<std::int64_t> spread(Count words, std::int64_t working, std::int64_t mapped) {
    const Fraction sum(words * Count(working) + Count(mapped - 1));
    return (sum / Fraction::of(mapped)).floor();
}

/// For the bandwidths Timeloop spreads the words of a level, reads and writes of each data space by
/// themselves, over all instances that are mapped, with work or without.
Result<void> count_spread_cycles(const Architecture& architecture, const Mapping& mapping,
                                 Dialect dialect, Traffic& traffic) {
    Traffic even = traffic;
    std::int64_t mapped = 1;
    std::int64_t compute_cycles = 1;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        for (auto& movement : even.levels[level].movements) {
            if (!movement) continue;
            const std::int64_t working = traffic.levels[level].instances;
            const auto reads = spread(Count(movement->reads), working, mapped);
            const auto writes =
                spread(Count(movement->fills) + Count(movement->updates), working, mapped);
            if (!reads || !writes)
                return tl::unexpected(Error{Error::Code::overflow, "over 2^63-1 words"});
            movement->reads = *reads;
            movement->fills = *writes;
            movement->updates = 0;
        }
        for (const Loop& loop : mapping.levels[level].spatial) mapped *= loop.bound;
        for (const Loop& loop : mapping.levels[level].temporal) compute_cycles *= loop.bound;
    }
    if (auto ok = count_cycles(architecture, compute_cycles, dialect, even); !ok) return ok;
    for (std::size_t level = 0; level < traffic.levels.size(); ++level) {
        traffic.levels[level].cycles = even.levels[level].cycles;
        traffic.levels[level].throttling = even.levels[level].throttling;
    }
    traffic.cycles = even.cycles;
    traffic.utilization = even.utilization;
    return {};
}

}  // namespace

Result<Traffic> count_rounds(const Workload& workload, const Architecture& architecture,
                             const Mapping& mapping, const Semantics& semantics) {
    Boundaries boundaries(workload, architecture, mapping, semantics);
    const std::size_t levels = mapping.levels.size();
    Traffic traffic;
    traffic.levels.resize(levels);
    Fraction instances = Fraction::of(1);
    for (std::size_t level = 0; level < levels; ++level) {
        LevelTraffic& here = traffic.levels[level];
        here.name = architecture.levels[level].name;
        here.instances = instances.floor().value_or(1);
        here.movements.resize(workload.data_spaces.size());
        if (level + 1 < levels) instances = instances * boundaries.children(level);
    }
    const auto computes = boundaries.computes(instances, levels);
    if (!computes) return tl::unexpected(Error{Error::Code::overflow, "over 2^63-1 operations"});
    traffic.computes = *computes;
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d) {
        const DataSpace& space = workload.data_spaces[d];
        auto flows = flows_of(boundaries, space, d, levels);
        if (!flows) return tl::unexpected(std::move(flows).error());
        hand_outwards(mapping, d, *flows);
        for (std::size_t level = 0; level < levels; ++level) {
            if (!mapping.levels[level].keep[d]) continue;
            LevelTraffic& here = traffic.levels[level];
            here.movements[d] = movement_of(*flows, level, space.output, here.instances);
            if (!here.movements[d]) return overflow(space, "over 2^63-1 words");
        }
    }
    if (auto ok = count_spread_cycles(architecture, mapping, semantics.dialect, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

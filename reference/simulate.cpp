// The definition of the counting, written as a walk over every visit: what passes the boundaries
// becomes reads, fills and updates.
// Does not share arithmetic with evaluate.cpp beyond tile bounds and cycles. Slow on purpose.
// See simulate.hpp.
#include "reference/simulate.hpp"

#include "reference/checked.hpp"
#include "reference/cycles.hpp"
#include "reference/walk_boundary.hpp"
#include "reference/walk_fraction.hpp"
#include "reference/walk_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace reference {

namespace {

constexpr std::int64_t kMaxVisits = 1'000'000'000;

/// What one level does for one data space, in the mean over its instances, before rounding.
struct Counted {
    Fraction content;   // accesses of its children
    Fraction received;  // from outside
    Fraction own;       // different words of the output that come to be worked on here
    Fraction links;     // charge for what neighbours hand on to each other
};

Fraction mean(Count sum, std::int64_t over) {
    return Fraction(sum) / Fraction(Count(over));
}

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

/// One data space at all levels.
class DataSpaceCount {
  public:
    DataSpaceCount(const Walk& walk, std::size_t d)
        : walk_(walk), d_(d), space_(walk.workload.data_spaces[d]), counted_(levels()) {}

    Result<void> count(const Traffic& traffic) {
        for (std::size_t parent = 0; parent < levels(); ++parent) {
            if (!keeps(parent)) continue;
            const std::size_t child = next_keeping(parent);
            // Links are between neighbours at every level, so each boundary is walked by itself.
            auto ok = walk_.semantics.links ? count_by_shares(parent, child, traffic)
                                            : count_directly(parent, child);
            if (!ok) return ok;
        }
        if (space_.output && walk_.semantics.extrapolation && !walk_.remainders) {
            // Not all words were visited. Each instance works on its partition.
            const auto parts = partition_sizes(walk_, space_);
            for (std::size_t level = 0; level < levels(); ++level)
                counted_[level].own = Fraction(Count(parts[level]));
        }
        return {};
    }

    /// None: over 64 bits.
    [[nodiscard]] std::optional<Movement> movement(std::size_t level,
                                                   std::int64_t instances) const {
        const Counted& c = counted_[level];
        Movement out;
        out.tile_words = tile_sizes(walk_, space_)[level];
        out.partition_words = partition_sizes(walk_, space_)[level];
        // The first update of a word finds nothing to be added to, and nothing is sent down for it.
        const bool reads =
            put(c.content + c.links - c.own, instances, false, out.reads, out.total.reads);
        const bool updates =
            !space_.output || put(c.content, instances, false, out.updates, out.total.updates);
        const bool fills = level == 0 || put(c.received + c.links - c.own, instances, true,
                                             out.fills, out.total.fills);
        if (!reads || !updates || !fills) return std::nullopt;
        return out;
    }

  private:
    [[nodiscard]] std::size_t levels() const { return walk_.mapping.levels.size(); }
    [[nodiscard]] bool keeps(std::size_t level) const {
        return walk_.mapping.levels[level].keep[d_];
    }
    /// The number of levels: the units.
    [[nodiscard]] std::size_t next_keeping(std::size_t level) const {
        do ++level;
        while (level < levels() && !keeps(level));
        return level;
    }

    Result<Passed> passed(std::size_t parent, std::size_t child) const {
        const Boundary boundary{parent, child};
        const Count steps = visits(walk_, boundary);
        if (steps.too_large() || steps.value() > kMaxVisits)
            return overflow(space_, "too many steps to walk");
        return walk_boundary(walk_, d_, boundary);
    }

    /// From a keeping level to the next, through bypassed ones.
    Result<void> count_directly(std::size_t parent, std::size_t child) {
        const auto p = passed(parent, child);
        if (!p) return tl::unexpected(p.error());
        counted_[parent].content = mean(p->accesses, p->parents);
        counted_[parent].own = mean(p->parent_own, p->parents);
        if (child == levels()) return {};
        counted_[child].received = mean(p->received, p->children);
        counted_[child].own = mean(p->child_own, p->children);
        return {};
    }

    /// The same where links are used. The accesses of a bypassed level become accesses of the level
    /// outside it in the ratio in which those two levels' own tiles are shared.
    Result<void> count_by_shares(std::size_t parent, std::size_t child, const Traffic& traffic) {
        Fraction scale(Count(1));
        for (std::size_t outer = parent; outer < child; ++outer) {
            const auto p = passed(outer, outer + 1);
            if (!p) return tl::unexpected(p.error());
            const bool last = outer + 1 == child;
            if (outer == parent) counted_[parent].own = mean(p->parent_own, p->parents);
            if (last) {
                counted_[parent].content = scale * mean(p->accesses, p->parents);
                if (child == levels()) continue;
                const Fraction instances(Count(traffic.levels[child].instances));
                counted_[child].received = mean(p->delivered, p->children);
                counted_[child].own = mean(p->child_own, p->children);
                counted_[child].links =
                    (mean(p->received, p->parents) - mean(p->delivered, p->parents)) / instances;
                continue;
            }
            const Fraction fanout = Fraction(Count(p->children)) / Fraction(Count(p->parents));
            scale = scale * fanout * Fraction(p->accesses) / Fraction(p->delivered);
        }
        return {};
    }

    /// Rounds a mean per instance. The total of a case without remainders is that times instances;
    /// with remainders the instances differ, and the total is the true sum.
    [[nodiscard]] bool put(const Fraction& words, std::int64_t instances, bool cut,
                           std::int64_t& each, std::int64_t& all) const {
        const auto rounded = cut && !walk_.remainders ? words.floor() : words.half_up();
        if (!rounded) return false;
        each = *rounded;
        const Fraction times(Count(std::max<std::int64_t>(instances, 1)));
        const auto sum = walk_.remainders ? (words * times).half_up()
                                          : (Fraction(Count(*rounded)) * times).half_up();
        if (sum) all = *sum;
        return sum.has_value();
    }

    const Walk& walk_;
    const std::size_t d_;
    const DataSpace& space_;
    std::vector<Counted> counted_;
};

/// Steps of the units: those in which any of them works; Timeloop takes every round as a full one.
Result<std::int64_t> compute_cycles(const Walk& walk) {
    const std::size_t units = walk.mapping.levels.size();
    Loops time = loops_of(walk.mapping, &MappingLevel::temporal, 0, units);
    const Count all = combinations(time);
    if (!walk.remainders || walk.semantics.dialect != Dialect::exact) return all.value();
    if (all.value() > kMaxVisits)
        return tl::unexpected(Error{Error::Code::overflow, "too many steps to walk"});
    std::int64_t steps = 0;
    do {
        steps += has_work(walk.workload, start_of(walk.workload, units, {&time})) ? 1 : 0;
    } while (advance(time));
    return steps;
}

std::int64_t iterations(const Workload& workload) {
    std::int64_t product = 1;
    for (const Dimension& dimension : workload.dimensions) product *= dimension.size;
    return product;
}

}  // namespace

Result<Traffic> simulate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics) {
    if (auto ok = check_case(workload, architecture, mapping); !ok)
        return tl::unexpected(std::move(ok).error());
    const Walk walk{workload, architecture, mapping, semantics, has_remainders(mapping)};
    Traffic traffic;
    traffic.computes = iterations(workload);
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        LevelTraffic& here = traffic.levels.emplace_back();
        here.name = architecture.levels[level].name;
        here.instances = used_instances(walk, level);
        here.movements.resize(workload.data_spaces.size());
    }
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d) {
        DataSpaceCount count(walk, d);
        if (auto ok = count.count(traffic); !ok) return tl::unexpected(std::move(ok).error());
        for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
            if (!mapping.levels[level].keep[d]) continue;
            LevelTraffic& here = traffic.levels[level];
            here.movements[d] = count.movement(level, here.instances);
            if (!here.movements[d]) return overflow(workload.data_spaces[d], "over 2^63-1 words");
        }
    }
    const auto steps = compute_cycles(walk);
    if (!steps) return tl::unexpected(steps.error());
    if (auto ok = count_cycles(architecture, *steps, semantics.dialect, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

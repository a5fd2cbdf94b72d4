// Closed form of the `exact` counting. The nest is an odometer: whenever loop j advances, the loops
// inside it fall back from their last index to 0, so the box moves by one fixed vector, however
// often that happens. Words = first box + sum over j of (times j advances) x (words new after that
// vector). That is exact for boxes, also where several loops move one rank.
// Does not walk iterations. See evaluate.hpp; simulate.cpp is the oracle.
#include "reference/evaluate.hpp"

#include "reference/checked.hpp"
#include "reference/cycles.hpp"
#include "reference/shifts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <span>
#include <string_view>

namespace reference {

namespace {

constexpr std::size_t kMaxLoops = 63;  // of bound 2 or more: their product stays below 2^63

/// Without initial values, as are the arrays below: clearing them would take longer than the
/// counting.
struct NestLoop {
    std::size_t level;
    DimensionId dimension;
    std::int64_t bound;
    std::int64_t stride;  // what one step adds to the index of the dimension
    bool spatial;
};

/// All loops of bound 2 or more, outermost first: level by level, temporal before spatial.
class Nest {
  public:
    explicit Nest(const Mapping& mapping) {
        for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
            add(mapping.levels[level].temporal, level, false);
            add(mapping.levels[level].spatial, level, true);
        }
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t inner = i + 1; inner < count_; ++inner)
                if (loops_[inner].dimension == loops_[i].dimension)
                    loops_[i].stride *= loops_[inner].bound;
    }
    [[nodiscard]] std::span<const NestLoop> loops() const { return {loops_.data(), count_}; }

  private:
    void add(const std::vector<Loop>& loops, std::size_t level, bool spatial) {
        for (const Loop& loop : loops) {
            if (loop.bound == 1) continue;
            assert(count_ < kMaxLoops);
            loops_[count_++] = {level, loop.dimension, loop.bound, 1, spatial};
        }
    }
    std::array<NestLoop, kMaxLoops> loops_;  // the first count_ of them
    std::size_t count_ = 0;
};

/// One data space seen from the nest: how far each step of each loop moves its boxes.
class Motion {
  public:
    Motion(const DataSpace& data_space, std::span<const NestLoop> loops)
        : loops_(loops), ranks_(data_space.ranks.size()) {
        for (std::size_t i = 0; i < loops.size(); ++i) {
            moves_[i] = false;
            for (std::size_t r = 0; r < ranks_; ++r) {
                std::int64_t step = 0;
                for (const Term& term : data_space.ranks[r])
                    if (term.dimension == loops[i].dimension)
                        step += term.coefficient * loops[i].stride;
                steps_[i][r] = step;
                moves_[i] = moves_[i] || step != 0;
            }
        }
    }

    /// Words of the box of one instance of `level`.
    [[nodiscard]] std::int64_t tile_words(std::size_t level) const {
        std::int64_t words = 1;
        for (std::size_t r = 0; r < ranks_; ++r) words *= extent(level, r);
        return words;
    }

    /// Words that one instance of `level` receives over the whole run.
    [[nodiscard]] Count arrivals(std::size_t level) const {
        Shift extents{};
        std::int64_t words = 1;
        for (std::size_t r = 0; r < ranks_; ++r) words *= extents[r] = extent(level, r);
        const std::int64_t steps = steps_outside(level);
        Shift fallback{};  // of the loops inside loop i, from their last index to 0
        Count total(words);
        std::int64_t inside = 1;
        for (std::size_t i = loops_.size(); i-- > 0;) {
            const NestLoop& loop = loops_[i];
            if (loop.level >= level || loop.spatial) continue;
            std::int64_t common = 1;
            for (std::size_t r = 0; r < ranks_; ++r) {
                const std::int64_t moved = steps_[i][r] - fallback[r];
                common *= std::max<std::int64_t>(0, extents[r] - std::abs(moved));
                fallback[r] += steps_[i][r] * (loop.bound - 1);
            }
            inside *= loop.bound;
            const std::int64_t advances = steps / inside * (loop.bound - 1);
            total += Count(advances) * Count(words - common);
        }
        return total;
    }

    /// Combinations of the temporal loops outside `level`. Cannot overflow after check_case().
    [[nodiscard]] std::int64_t steps_outside(std::size_t level) const {
        std::int64_t product = 1;
        for (const NestLoop& loop : loops_)
            if (loop.level < level && !loop.spatial) product *= loop.bound;
        return product;
    }

    /// Words that the loops inside `level` and its spatial position leave for one instance: for the
    /// output, whose boxes are equal or disjoint, the words it works on in the whole run.
    [[nodiscard]] std::int64_t own_words(std::size_t level) const {
        std::int64_t words = tile_words(0);
        for (std::size_t i = 0; i < loops_.size(); ++i)
            if (loops_[i].level < level && loops_[i].spatial && moves_[i]) words /= loops_[i].bound;
        return words;
    }

    /// Different boxes among the children of one instance of `level`. None: too many to tell.
    [[nodiscard]] std::optional<std::int64_t> distinct_children(std::size_t level) const {
        std::array<SpatialStep, kMaxLoops> spatial;
        std::size_t count = 0;
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            if (loops_[i].level != level || !loops_[i].spatial || !moves_[i]) continue;
            spatial[count] = {Shift{}, loops_[i].bound};
            std::copy_n(steps_[i].begin(), ranks_, spatial[count].step.begin());
            ++count;
        }
        if (count == 0) return 1;
        if (count == 1) return spatial[0].bound;  // the common case, told without a call
        return distinct_shifts({spatial.data(), count});
    }

  private:
    [[nodiscard]] std::int64_t extent(std::size_t level, std::size_t rank) const {
        std::int64_t sum = 1;
        for (std::size_t i = 0; i < loops_.size(); ++i)
            if (loops_[i].level >= level) sum += steps_[i][rank] * (loops_[i].bound - 1);
        return sum;
    }

    std::span<const NestLoop> loops_;
    std::size_t ranks_;
    std::array<Shift, kMaxLoops> steps_;  // of the loops there are, in the ranks there are
    std::array<bool, kMaxLoops> moves_;
};

/// What passes between a keeping level and the next inner one, or the units (`child` past the
/// last).
struct Passed {
    Count accesses;  // at the parent
    Count arrivals;  // in one child
};

std::optional<Passed> pass(const Motion& motion, std::size_t parent, std::size_t child,
                           bool child_is_units) {
    Passed passed;
    passed.arrivals = child_is_units ? Count(motion.steps_outside(child)) : motion.arrivals(child);
    passed.accesses = passed.arrivals;
    for (std::size_t level = parent; level < child; ++level) {
        const auto distinct = motion.distinct_children(level);
        if (!distinct) return std::nullopt;
        passed.accesses *= Count(*distinct);
    }
    return passed;
}

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

Result<void> evaluate_data_space(const Workload& workload, const Mapping& mapping,
                                 std::span<const NestLoop> loops, std::size_t d, Traffic& traffic) {
    const DataSpace& data_space = workload.data_spaces[d];
    const Motion motion(data_space, loops);
    const std::size_t units = mapping.levels.size();
    for (std::size_t parent = 0, child = 0; parent < units; parent = child) {
        for (child = parent + 1; child < units && !mapping.levels[child].keep[d];) ++child;
        const auto passed = pass(motion, parent, child, child == units);
        if (!passed) return overflow(data_space, "too many spatial instances to compare");
        if (passed->accesses.too_large()) return overflow(data_space, "over 2^63-1 words");
        auto& slot = traffic.levels[parent].movements[d];
        Movement& outer = slot ? *slot : slot.emplace();
        outer.tile_words = motion.tile_words(parent);
        outer.reads = passed->accesses.value();
        if (data_space.output) {
            outer.updates = passed->accesses.value();
            outer.reads -= motion.own_words(parent);
        }
        if (child == units) continue;
        Movement& inner = traffic.levels[child].movements[d].emplace();
        inner.fills = passed->arrivals.value();
        if (data_space.output) inner.fills -= motion.own_words(child);
    }
    return {};
}

}  // namespace

Result<Traffic> evaluate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics) {
    if (semantics != kExact)
        return tl::unexpected(Error{Error::Code::inconsistent, "only exact counting yet"});
    if (auto ok = check_case(workload, architecture, mapping); !ok)
        return tl::unexpected(std::move(ok).error());
    const Nest nest(mapping);
    Traffic traffic;
    traffic.levels.resize(mapping.levels.size());
    std::int64_t compute_cycles = 1;
    traffic.computes = 1;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        LevelTraffic& here = traffic.levels[level];
        here.name = architecture.levels[level].name;
        here.movements.resize(workload.data_spaces.size());
    }
    for (const NestLoop& loop : nest.loops()) {
        traffic.computes *= loop.bound;
        if (!loop.spatial) compute_cycles *= loop.bound;
        for (std::size_t inner = loop.level + 1; loop.spatial && inner < mapping.levels.size();
             ++inner)
            traffic.levels[inner].instances *= loop.bound;
    }
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d)
        if (auto ok = evaluate_data_space(workload, mapping, nest.loops(), d, traffic); !ok)
            return tl::unexpected(std::move(ok).error());
    if (auto ok = count_cycles(architecture, compute_cycles, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

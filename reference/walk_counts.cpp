// Sharing through bypassed levels, first touches of an output, and rounding.
// Does not know of overlap: walk_boundary.cpp does.
// See walk_counts.hpp.
#include "reference/walk_counts.hpp"

#include "reference/fraction.hpp"
#include "reference/walk_boundary.hpp"
#include "reference/walk_partition.hpp"

#include <fmt/format.h>

#include <string_view>

namespace reference::walk {

namespace {

/// What one level does for one data space, in the mean over its instances, before rounding.
struct Counted {
    Fraction content;   // accesses of its children
    Fraction received;  // by accesses to the level outside
    Fraction own;       // different words of the output that are worked on here
    Fraction links;     // charge for what neighbours hand on to each other
};

Fraction whole(std::int64_t value) {
    return Fraction(Count(value));
}

Fraction mean(Count sum, std::int64_t over) {
    return Fraction(sum) / whole(over);
}

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

/// One data space at all levels.
class DataSpaceCount {
  public:
    DataSpaceCount(const Walk& walk, std::size_t d, const std::vector<std::int64_t>& instances)
        : walk_(walk),
          d_(d),
          space_(walk.workload.data_spaces[d]),
          instances_(instances),
          levels_(instances.size()),
          counted_(levels_) {}

    Result<void> count() {
        for (std::size_t parent = 0; parent < levels_; ++parent) {
            if (!keeps(parent)) continue;
            std::size_t child = parent + 1;  // the number of levels: the units
            while (child < levels_ && !keeps(child)) ++child;
            // Neighbours hand on words between all levels, so then each boundary is walked.
            auto ok =
                walk_.semantics.links ? through_shares(parent, child) : directly(parent, child);
            if (!ok) return ok;
        }
        if (!space_.output || !walk_.extrapolates()) return {};
        // Not all tiles were visited; an instance works on its partition.
        const auto parts = partition_sizes(walk_, space_);
        for (std::size_t level = 0; level < levels_; ++level)
            counted_[level].own = whole(parts[level]);
        return {};
    }

    Result<std::vector<std::optional<Movement>>> movements() const {
        const auto tiles = tile_sizes(walk_, space_);
        const auto parts = partition_sizes(walk_, space_);
        std::vector<std::optional<Movement>> out(levels_);
        for (std::size_t level = 0; level < levels_; ++level) {
            if (!keeps(level)) continue;
            Movement& here = out[level].emplace();
            here.tile_words = tiles[level];
            here.partition_words = parts[level];
            if (!round_all(level, here)) return overflow(space_, "over 2^63-1 words");
        }
        return out;
    }

  private:
    [[nodiscard]] bool keeps(std::size_t level) const {
        return walk_.mapping.levels[level].keep[d_];
    }

    [[nodiscard]] Result<Passed> passed(std::size_t parent, std::size_t child) const {
        const Boundary boundary{parent, child};
        const Count steps = visits(walk_, boundary);
        if (steps.too_large() || steps.value() > kMaxVisits)
            return overflow(space_, "too many steps to walk");
        return walk_boundary(walk_, d_, boundary);
    }

    /// From a keeping level to the next one or to the units. Children share an access if their
    /// tiles are the same, those of the bypassed levels between as well.
    Result<void> directly(std::size_t parent, std::size_t child) {
        const auto p = passed(parent, child);
        if (!p) return tl::unexpected(p.error());
        counted_[parent].own = mean(p->parent_own, p->parents);
        counted_[parent].content = mean(p->accesses, p->parents);
        if (child < levels_) arrive(child, *p);
        return {};
    }

    /// The same where neighbours hand on words. The accesses of a bypassed level go to the level
    /// outside it, fewer by the sharing that was found for the bypassed level's own tiles; what its
    /// instances would hand on to each other counts nowhere.
    Result<void> through_shares(std::size_t parent, std::size_t child) {
        Fraction scale = whole(1);  // accesses here for one access at the level now reached
        for (std::size_t level = parent; level < child; ++level) {
            const auto p = passed(level, level + 1);
            if (!p) return tl::unexpected(p.error());
            if (level == parent) counted_[parent].own = mean(p->parent_own, p->parents);
            if (level + 1 < child) {
                const Fraction fanout = whole(p->children) / whole(p->parents);
                scale = scale * fanout * (Fraction(p->accesses) / Fraction(p->delivered));
                continue;
            }
            counted_[parent].content = scale * mean(p->accesses, p->parents);
            if (child < levels_) arrive(child, *p);
        }
        return {};
    }

    void arrive(std::size_t child, const Passed& p) {
        Counted& c = counted_[child];
        c.received = mean(p.delivered, p.children);
        c.own = mean(p.child_own, p.children);
        // Timeloop divides what is handed on below one parent by all instances of the child level.
        const Fraction handed_on = Fraction(p.received) - Fraction(p.delivered);
        c.links = handed_on / whole(p.parents) / whole(instances_[child]);
    }

    /// The first update of a word finds nothing to be added to, and nothing comes down for it.
    [[nodiscard]] bool round_all(std::size_t level, Movement& out) const {
        const Counted& c = counted_[level];
        const auto half_up = &Fraction::half_up;
        const bool reads = round(level, c.content + c.links - c.own, half_up, out, &Words::reads);
        if (!reads) return false;
        if (space_.output && !round(level, c.content, half_up, out, &Words::updates)) return false;
        // Timeloop cuts fills but those of outputs. With remainders they are a mean like the
        // others.
        const auto rule = walk_.remainders || space_.output ? half_up : &Fraction::floor;
        return level == 0 || round(level, c.received + c.links - c.own, rule, out, &Words::fills);
    }

    using Rounding = std::optional<std::int64_t> (Fraction::*)() const;

    /// The total is the rounded number times the instances; with remainders instances differ, and
    /// it is the true sum. False: over 64 bits.
    [[nodiscard]] bool round(std::size_t level, const Fraction& words, Rounding rule, Movement& out,
                             std::int64_t Words::*which) const {
        const auto each = (words.*rule)();
        if (!each) return false;
        const Fraction instances = whole(instances_[level]);
        const auto all = ((walk_.remainders ? words : Fraction::of(*each)) * instances).half_up();
        if (!all) return false;
        out.total.*which = *all;
        if (which == &Words::reads) out.reads = *each;
        if (which == &Words::fills) out.fills = *each;
        if (which == &Words::updates) out.updates = *each;
        return true;
    }

    const Walk& walk_;
    const std::size_t d_;
    const DataSpace& space_;
    const std::vector<std::int64_t>& instances_;
    const std::size_t levels_;
    std::vector<Counted> counted_;
};

}  // namespace

Result<std::vector<std::optional<Movement>>> count_data_space(
    const Walk& walk, std::size_t data_space, const std::vector<std::int64_t>& instances) {
    DataSpaceCount count(walk, data_space, instances);
    if (auto ok = count.count(); !ok) return tl::unexpected(std::move(ok).error());
    return count.movements();
}

}  // namespace reference::walk

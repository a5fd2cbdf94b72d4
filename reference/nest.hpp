// The loops of a mapping as one nest, and how they move the boxes of a data space.
// Does not know what is kept where, nor of dialects or cycles.
// Used by the closed form (boundary.cpp, evaluate.cpp), by the bound and by the explanation.
#pragma once

#include "reference/mapping.hpp"
#include "reference/shifts.hpp"
#include "reference/workload.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reference {

constexpr std::size_t kMaxLoops = 63;  // of bound 2 or more: their product stays below 2^63

/// Without initial values, as are the arrays below: clearing them would take longer than the
/// counting.
struct NestLoop {
    std::size_t level;
    DimensionId dimension;
    std::int64_t bound;
    std::int64_t stride;  // what one step adds to the index of the dimension
    std::int64_t rounds;  // how often it runs from its start: the temporal bounds outside it
    bool spatial;
    bool along_y;  // of the spatial ones
};

/// All loops of bound 2 or more, outermost first: level by level, temporal before spatial. The
/// mapping has passed check_case() and has no remainders.
class Nest {
  public:
    explicit Nest(const Mapping& mapping);
    [[nodiscard]] std::span<const NestLoop> loops() const { return {loops_.data(), count_}; }
    /// Steps in which the units work: the product of all temporal bounds.
    [[nodiscard]] std::int64_t steps() const { return steps_; }

  private:
    void add(const std::vector<Loop>& loops, std::size_t level, bool spatial, std::size_t along_y);
    std::array<NestLoop, kMaxLoops> loops_;  // the first count_ of them
    std::size_t count_ = 0;
    std::int64_t steps_ = 1;
};

/// One data space seen from the nest: how far each step of each loop moves its boxes. A level past
/// the last stands for the units. The loops must outlive it.
class Motion {
  public:
    Motion(const DataSpace& data_space, std::span<const NestLoop> loops);

    [[nodiscard]] std::span<const NestLoop> loops() const { return loops_; }
    [[nodiscard]] std::size_t ranks() const { return ranks_; }
    /// What one step of loop i adds to the corner of the box; the first ranks() entries count.
    [[nodiscard]] const Shift& step(std::size_t i) const { return steps_[i]; }
    [[nodiscard]] bool moves(std::size_t i) const { return moves_[i]; }

    /// Extents of a box, and their product in words.
    struct Box {
        Shift extents;  // the first ranks() entries count
        std::int64_t words;
    };
    /// Of one multiply-accumulate operation: one word.
    [[nodiscard]] Box operand() const;
    /// Lets a box also cover the steps of loop i.
    void grow(Box& box, std::size_t i) const;
    /// Of one instance of `level`.
    [[nodiscard]] Box box(std::size_t level) const;

    /// Combinations of the temporal loops outside `level`. Cannot overflow after check_case().
    [[nodiscard]] std::int64_t steps_outside(std::size_t level) const;

    /// Different boxes among the children of one instance of `parent`. None: too many to tell.
    [[nodiscard]] std::optional<std::int64_t> distinct_children(std::size_t parent) const;

  private:
    std::span<const NestLoop> loops_;
    std::size_t ranks_;
    std::array<Shift, kMaxLoops> steps_;  // of the loops there are, in the ranks there are
    std::array<bool, kMaxLoops> moves_;
};

}  // namespace reference

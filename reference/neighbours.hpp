// The children of one parent as an array of rows: who has the same box, and who can take its words
// from a neighbour (link transfers).
// Does not know of time beyond one vector.
// Used by boundary.cpp.
#pragma once

#include "reference/nest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace reference {

/// Of the children of one parent in one step.
struct Sharing {
    std::int64_t distinct = 1;  // different boxes among the children that the parent serves
    std::int64_t linked = 0;    // children that take their words from a neighbour
};

/// The children of one instance of a level. Positions are counted in the order of the spatial
/// loops, X loops fastest, row by row in the width of the array: in rows that are not full the
/// neighbours are not those of the mapping, as in Timeloop.
class Neighbours {
  public:
    /// `columns`: of the array under one parent. The motion must outlive it.
    Neighbours(const Motion& motion, std::size_t parent, std::int64_t columns);

    [[nodiscard]] std::int64_t children() const { return children_; }

    /// A child is linked if its left, right, upper or lower neighbour stands `moved` further: with
    /// the words of that neighbour one step before. None: over 2^20 children to compare.
    [[nodiscard]] std::optional<Sharing> linked(const Shift& moved) const;

  private:
    [[nodiscard]] bool within_reach(const Shift& moved) const;
    [[nodiscard]] std::optional<Sharing> compared(const Shift& moved) const;
    [[nodiscard]] std::optional<std::int64_t> distinct_without(std::uint64_t fixed) const;

    const Motion& motion_;
    std::array<std::size_t, kMaxLoops> loops_;  // innermost first: the X loops, then the Y loops
    std::size_t count_ = 0;
    std::size_t in_row_ = 0;  // so many of them make a row
    std::int64_t children_ = 1;
    std::int64_t row_ = 1;    // children in a row, if all rows are full
    std::int64_t width_ = 1;  // of the array
};

}  // namespace reference

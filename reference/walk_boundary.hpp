// A walk over all visits of the children below one boundary, for one data space.
// Does not know of reads, fills and updates: simulate.cpp makes them from what has passed.
// Used by simulate.cpp only.
#pragma once

#include "reference/checked.hpp"
#include "reference/walk_nest.hpp"

#include <cstddef>
#include <cstdint>

namespace reference::walk {

/// Words, in the sum over all steps and over the parents that were walked.
struct Passed {
    Count accesses;            // at the parents
    Count received;            // by the children, in all
    Count delivered;           // by the accesses; the rest of what is received came from neighbours
    Count parent_own;          // different words of the output that a parent's children work on,
    Count child_own;           //   that a child works on; none where loops are extrapolated
    std::int64_t parents = 0;  // walked: one stands for all unless there are remainders
    std::int64_t children = 0;
};

/// Visits of children to be walked: steps in time x parents x children.
Count visits(const Walk& walk, const Boundary& boundary);

/// With links the child must be the level next to the parent.
Passed walk_boundary(const Walk& walk, std::size_t data_space, const Boundary& boundary);

}  // namespace reference::walk

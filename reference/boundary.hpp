// What passes between a level and the next inner one for one data space, in the whole run.
// Does not know whether either keeps the data space: evaluate.cpp does.
// Used by evaluate.cpp.
#pragma once

#include "reference/checked.hpp"
#include "reference/nest.hpp"
#include "reference/semantics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace reference {

/// In words, for one parent. served = accesses x children reached by each.
struct Passed {
    Count arrivals;  // new in one child, from wherever
    Count accesses;  // of the parent
    Count served;    // received from the parent by all children together
    Count links;     // received from neighbours by all children together
    std::int64_t children = 1;
    std::int64_t distinct = 1;  // different boxes among the children in one step
    bool uniform = true;        // every step is shared like that, and no neighbour helps
};

struct Boundary {
    std::size_t child = 0;        // past the last level: the units
    bool child_is_units = false;  // they hold nothing and ask for their operands in every step
    std::int64_t columns = 1;     // of the array of children under one parent
};

/// `box`: of one child. None: over 2^20 children would have to be compared.
std::optional<Passed> pass(const Motion& motion, const Boundary& boundary, const Motion::Box& box,
                           const Semantics& semantics);

}  // namespace reference

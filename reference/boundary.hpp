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
};

/// `child` past the last level: the units, which hold nothing and ask for their operands in every
/// step. `columns`: of the array of children under one parent.
/// None: over 2^20 children would have to be compared.
std::optional<Passed> pass(const Motion& motion, std::size_t child, bool child_is_units,
                           const Semantics& semantics, std::int64_t columns);

}  // namespace reference

// What one data space asks of and sends through every level: one step between the loop nest and
// the numbers of a level.
// Does not know of reads, fills and updates: evaluate.cpp makes them.
// Used by evaluate.cpp and explain.cpp.
#pragma once

#include "reference/architecture.hpp"
#include "reference/boundary.hpp"
#include "reference/fraction.hpp"
#include "reference/mapping.hpp"
#include "reference/nest.hpp"
#include "reference/semantics.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

/// One level, for one data space; also where it is bypassed.
struct LevelFlow {
    std::int64_t tile_words = 0;
    std::int64_t partition_words = 0;
    std::int64_t children_words = 0;  // of the box that its children need together in a step
    Passed inwards;                   // to the next level or the units
    Fraction accesses;  // of this level by whatever is inside it, bypassed levels passed through
};

struct FlowInputs {
    const Architecture& architecture;
    const Mapping& mapping;
    const Semantics& semantics;
};

/// Fills in the flows, one per level. False: too many spatial instances to compare.
bool trace(const FlowInputs& in, const Motion& motion, std::size_t data_space,
           std::vector<LevelFlow>& flows);

}  // namespace reference

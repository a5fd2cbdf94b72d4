// What one data space asks of and sends through every level: from the boundaries of the loop nest
// to the numbers of a level.
// Does not count boundaries itself, nor cycles.
// Used by evaluate.cpp, rounds.cpp and explain.cpp.
#pragma once

#include "reference/architecture.hpp"
#include "reference/boundary.hpp"
#include "reference/fraction.hpp"
#include "reference/mapping.hpp"
#include "reference/nest.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The share of one instance: of what all children of one parent need together in a step, each is
/// responsible for its tile, cut to whole words at each level.
std::int64_t partition(std::int64_t outer, std::int64_t tile_words, std::int64_t together_words);

/// From the boundaries to LevelFlow::accesses. A level that bypasses the data space hands its
/// requests on, shared as the children of the level outside share what they receive.
void hand_outwards(const Mapping& mapping, std::size_t data_space, std::vector<LevelFlow>& flows);

/// Reads, fills and updates of a level that keeps the data space; `instances` of that level.
/// None: over 2^63-1 words.
std::optional<Movement> movement_of(const std::vector<LevelFlow>& flows, std::size_t level,
                                    bool output, std::int64_t instances);

/// Fills in the flows, one per level. False: too many spatial instances to compare.
bool trace(const FlowInputs& in, const Motion& motion, std::size_t data_space,
           std::vector<LevelFlow>& flows);

}  // namespace reference

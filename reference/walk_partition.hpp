// The share of a tensor that one instance of each level is made responsible for.
// Does not count what moves.
// Used by simulate.cpp only.
#pragma once

#include "reference/walk_nest.hpp"

#include <cstdint>
#include <vector>

namespace reference::walk {

/// Words of the largest tile of each level, outermost first: its box, cut at the end of the tensor.
std::vector<std::int64_t> tile_sizes(const Walk& walk, const DataSpace& data_space);

/// Words per level: all of the tensor at the outermost; inwards a part as large as the tile is of
/// the box that all children of one parent need together in one step, rounded down.
std::vector<std::int64_t> partition_sizes(const Walk& walk, const DataSpace& data_space);

}  // namespace reference::walk

// How many different places the instances of a spatial group stand at.
// Does not know of levels, data spaces or time.
// Used by nest.cpp and neighbours.cpp.
#pragma once

#include "reference/mapping.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace reference {

/// Distances in the ranks of one data space; unused ranks are 0.
using Shift = std::array<std::int64_t, kMaxRanks>;

/// A spatial loop: instance i stands i steps away.
struct SpatialStep {
    Shift step;  // never negative
    std::int64_t bound;
};

/// The number of different sums of i x step over all loops, i from 0 to bound - 1 in each.
/// The product of the bounds is at most 2^63-1; at most 63 loops.
/// Closed form unless three or more loops move the same ranks irregularly; those are enumerated.
/// None: too many to enumerate.
std::optional<std::int64_t> distinct_shifts(std::span<const SpatialStep> loops);

}  // namespace reference

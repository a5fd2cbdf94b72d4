// The `exact` counting once more, from single iterations and sets of single words.
// Does not know links, extrapolation or Timeloop; very slow. Shares nothing with the two engines
// but the rounding of cycles.
// Used by tests of remainders, where the walk has no other judge.
#pragma once

#include "reference/case.hpp"
#include "reference/traffic.hpp"

#include <cstdint>
#include <string_view>

namespace tests {

/// Of a legal case of a few hundred iterations. Partitions are left out: 0.
reference::Traffic count_points(const reference::Case& input);

/// Makes a dimension smaller than what its bounds multiply to: sets the last bounds of its loops.
/// From 1 to the product of the bounds.
void cut(reference::Case& input, reference::DimensionId dimension, std::int64_t size);

}  // namespace tests

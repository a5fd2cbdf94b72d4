// Tiles: the bounding box that one instance of a level holds of each data space.
// Does not count traffic.
// Used by both engines, by check_case() and by callers that ask whether a mapping fits.
#pragma once

#include "reference/architecture.hpp"
#include "reference/checked.hpp"
#include "reference/error.hpp"
#include "reference/mapping.hpp"
#include "reference/workload.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reference {

/// Per dimension the product of all loop bounds, temporal and spatial, of `level` and every level
/// inside it; with remainders that may be more than there is, and is cut to the size of the
/// dimension. The level after the last is the multiply-accumulate unit: all ones.
/// The mapping has passed check_case().
std::vector<std::int64_t> inner_bounds(const Workload& workload, const Mapping& mapping,
                                       std::size_t level);

/// Coordinates from the smallest to the largest touched: 1 + sum of coefficient x (bound - 1).
Count extent(const Rank& rank, std::span<const std::int64_t> bounds);

/// Words of the bounding box: the product of the extents, holes included.
Count tile_words(const DataSpace& data_space, std::span<const std::int64_t> bounds);

/// Whether at each level the tiles of the data spaces kept there go into one instance together.
/// The three have passed check_case().
/// Errors: does_not_fit, naming the level, the words needed and the capacity; overflow.
Result<void> fits(const Workload& workload, const Architecture& architecture,
                  const Mapping& mapping);

}  // namespace reference

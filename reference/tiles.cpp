// Sizes of bounding boxes, Timeloop's rule: words skipped by a stride or dilation are held as well.
// Does not look at loop order.
// See tiles.hpp.
#include "reference/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace reference {

std::vector<std::int64_t> inner_bounds(const Workload& workload, const Mapping& mapping,
                                       std::size_t level) {
    std::vector<std::int64_t> bounds(workload.dimensions.size(), 1);
    for (std::size_t inner = level; inner < mapping.levels.size(); ++inner) {
        for (const Loop& loop : mapping.levels[inner].temporal)
            bounds[index(loop.dimension)] *= loop.bound;
        for (const Loop& loop : mapping.levels[inner].spatial)
            bounds[index(loop.dimension)] *= loop.bound;
    }
    for (std::size_t d = 0; d < bounds.size(); ++d)
        bounds[d] = std::min(bounds[d], workload.dimensions[d].size);
    return bounds;
}

Count extent(const Rank& rank, std::span<const std::int64_t> bounds) {
    Count sum(1);
    for (const Term& term : rank)
        sum += Count(term.coefficient) * Count(bounds[index(term.dimension)] - 1);
    return sum;
}

Count tile_words(const DataSpace& data_space, std::span<const std::int64_t> bounds) {
    Count words(1);
    for (const Rank& rank : data_space.ranks) words *= extent(rank, bounds);
    return words;
}

Result<void> fits(const Workload& workload, const Architecture& architecture,
                  const Mapping& mapping) {
    assert(mapping.levels.size() == architecture.levels.size());
    for (std::size_t level = 0; level < architecture.levels.size(); ++level) {
        const StorageLevel& storage = architecture.levels[level];
        if (!storage.capacity_words) continue;
        const auto bounds = inner_bounds(workload, mapping, level);
        Count needed(0);
        for (std::size_t d = 0; d < workload.data_spaces.size(); ++d)
            if (mapping.levels[level].keep[d])
                needed += tile_words(workload.data_spaces[d], bounds);
        if (needed.too_large())
            return tl::unexpected(
                Error{Error::Code::overflow,
                      fmt::format("level '{}': the tiles exceed 2^63-1 words", storage.name)});
        if (needed.value() > *storage.capacity_words / storage.multiple_buffering)
            return tl::unexpected(
                Error{Error::Code::does_not_fit,
                      fmt::format("level '{}': the tiles need {} words, the capacity is {}{}",
                                  storage.name, needed.value(),
                                  *storage.capacity_words / storage.multiple_buffering,
                                  storage.multiple_buffering == 1
                                      ? ""
                                      : fmt::format(" ({} / {} buffers)", *storage.capacity_words,
                                                    storage.multiple_buffering))});
    }
    return {};
}

}  // namespace reference

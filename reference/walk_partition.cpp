// Sizes of tiles and partitions.
// Does not walk.
// See walk_partition.hpp.
#include "reference/walk_partition.hpp"

#include "reference/tiles.hpp"

#include <cstddef>

namespace reference::walk {

namespace {

std::int64_t words_at_start(const Walk& walk, const DataSpace& data_space,
                            const std::vector<std::int64_t>& bounds) {
    const std::vector<std::int64_t> start(bounds.size(), 0);
    return words_of(box_of(data_space, walk.workload, start, bounds));
}

/// part x tile / together. Both factors have 63 bits; the result is no more than `part`.
std::int64_t share_of(std::int64_t part, std::int64_t tile, std::int64_t together) {
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(part) * tile / together);
}

}  // namespace

std::vector<std::int64_t> tile_sizes(const Walk& walk, const DataSpace& data_space) {
    std::vector<std::int64_t> sizes;
    for (std::size_t level = 0; level < walk.mapping.levels.size(); ++level)
        sizes.push_back(
            words_at_start(walk, data_space, inner_bounds(walk.workload, walk.mapping, level)));
    return sizes;
}

std::vector<std::int64_t> partition_sizes(const Walk& walk, const DataSpace& data_space) {
    const auto tiles = tile_sizes(walk, data_space);
    std::vector<std::int64_t> parts{tiles[0]};
    for (std::size_t level = 1; level < tiles.size(); ++level) {
        auto bounds = inner_bounds(walk.workload, walk.mapping, level);
        for (const Loop& loop : walk.mapping.levels[level - 1].spatial)
            bounds[index(loop.dimension)] *= loop.bound;
        const std::int64_t together = words_at_start(walk, data_space, bounds);
        parts.push_back(share_of(parts.back(), tiles[level], together));
    }
    return parts;
}

}  // namespace reference::walk

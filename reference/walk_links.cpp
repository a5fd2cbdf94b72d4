// Positions in the array.
// Does not decide who takes words from whom.
// See walk_links.hpp.
#include "reference/walk_links.hpp"

#include <algorithm>

namespace reference::walk {

namespace {

std::int64_t columns(const StorageLevel& level) {
    return level.mesh_x.value_or(level.instances);
}

}  // namespace

std::int64_t row_width(const Walk& walk, std::size_t parent) {
    const MappingLevel& mapped = walk.mapping.levels[parent];
    std::int64_t along_x = 1;
    for (std::size_t i = mapped.spatial_y; i < mapped.spatial.size(); ++i)
        along_x *= mapped.spatial[i].bound;
    const auto& levels = walk.architecture.levels;
    const auto& units = walk.architecture.compute;
    if (parent + 1 == levels.size() && !units) return along_x;  // as many units as are mapped
    const std::int64_t inner = parent + 1 < levels.size()
                                   ? columns(levels[parent + 1])
                                   : units->mesh_x.value_or(units->instances);
    return std::max(along_x, inner / std::max<std::int64_t>(1, columns(levels[parent])));
}

std::vector<std::size_t> neighbours(std::size_t i, std::size_t children, std::int64_t width) {
    const auto row = static_cast<std::size_t>(width);
    std::vector<std::size_t> found;
    if (i % row != 0) found.push_back(i - 1);
    if ((i + 1) % row != 0 && i + 1 < children) found.push_back(i + 1);
    if (i >= row) found.push_back(i - row);
    if (row < children - i) found.push_back(i + row);
    return found;
}

}  // namespace reference::walk

// Where the children of one parent stand in the array, and who is next to whom.
// Does not know what they hold.
// Used by the walk of simulate.cpp only.
#pragma once

#include "reference/walk_nest.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference::walk {

/// Columns of the array of one parent's children: those of the hardware, or those of the mapping if
/// they are more.
std::int64_t row_width(const Walk& walk, std::size_t parent);

/// Left, right, up and down of child `i`, as far as they are there. The children are numbered as
/// they are mapped, loops along X fastest, and are laid out row by row: in a row that is used only
/// in part the next row of the mapping begins at once.
std::vector<std::size_t> neighbours(std::size_t i, std::size_t children, std::int64_t width);

}  // namespace reference::walk

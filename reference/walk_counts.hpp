// From what passes the boundaries to the reads, fills and updates of each level.
// Does not walk by itself and does not count cycles.
// Used by simulate.cpp only.
#pragma once

#include "reference/error.hpp"
#include "reference/traffic.hpp"
#include "reference/walk_nest.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace reference::walk {

/// The most visits of children that are walked at one boundary.
constexpr std::int64_t kMaxVisits = 1'000'000'000;

/// The movements of one data space at each level; none where it is bypassed. `instances` are those
/// used of each level.
/// Errors: overflow, naming the data space: over 2^63-1 words, or too many steps to walk.
Result<std::vector<std::optional<Movement>>> count_data_space(
    const Walk& walk, std::size_t data_space, const std::vector<std::int64_t>& instances);

}  // namespace reference::walk

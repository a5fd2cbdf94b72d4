// Cycles of each level from its words and its bandwidths.
// Does not count words.
// Used by both engines as their last step.
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/traffic.hpp"

#include <cstdint>

namespace reference {

/// Fills in LevelTraffic::cycles and Traffic::cycles. Movement overlaps with compute perfectly: a
/// level takes the largest of the compute cycles, ceil(reads / read bandwidth) and
/// ceil((fills + updates) / write bandwidth), words per instance and of all data spaces kept there.
/// The quotients are those of double precision.
/// Errors: overflow, where words exceed 2^53 at a level with a bandwidth, or cycles 2^63-1.
Result<void> count_cycles(const Architecture& architecture, std::int64_t compute_cycles,
                          Traffic& traffic);

}  // namespace reference

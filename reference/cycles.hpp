// Cycles of each level from its words and its bandwidths.
// Does not count words.
// Used by both engines as their last step.
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <cstdint>

namespace reference {

/// Fills in cycles, throttling and utilization. Movement overlaps with compute perfectly: a level
/// takes the largest of the compute cycles and, per instance and for all data spaces kept there,
/// reads / read bandwidth, (fills + updates) / write bandwidth, and both / shared bandwidth.
///
/// `exact` rounds each quotient up. The dialects of Timeloop divide in its order, and so print one
/// cycle more now and then: demand = words / compute cycles, summed over the data spaces in double
/// precision; slowdown = bandwidth / demand; cycles = compute cycles / slowdown, rounded up.
/// Errors: overflow, where words exceed 2^53 at a level with a bandwidth, or cycles 2^63-1.
Result<void> count_cycles(const Architecture& architecture, std::int64_t compute_cycles,
                          Dialect dialect, Traffic& traffic);

}  // namespace reference

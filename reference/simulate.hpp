// Literal walk over every iteration of a mapping: slow, obvious, the oracle.
// Does not take shortcuts: it reads like the definition.
// Called by tests, as the judge of evaluate().
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/mapping.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"
#include "reference/workload.hpp"

namespace reference {

/// Words moved at each storage level, and cycles, for one mapping.
/// Shape:  levels x data spaces, outermost level (DRAM) first.
/// Units:  words per instance; cycles.
/// Errors: as evaluate(); also overflow where the walk would exceed 10^9 steps at one
///         boundary.
/// Source: loop-nest tile analysis, Timeloop (ISPASS 2019), every iteration walked in effect,
///         bounding boxes, the previous tile alone is remembered, no link transfers.
Result<Traffic> simulate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics = kExact);

}  // namespace reference

// Closed-form counts of the `exact` semantics: no walk over iterations.
// Does not read files; is exact wherever it answers, sliding windows included.
// Called by the grader for expected numbers; simulate.hpp is its oracle.
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
/// Errors: inconsistent (check_case); overflow beyond 2^63-1, or where over 2^20 spatial instances
/// on
///         an irregular sliding window would have to be compared. Capacity is not checked here.
/// Source: loop-nest tile analysis, Timeloop (ISPASS 2019), every iteration walked in effect,
///         bounding boxes, the previous tile alone is remembered, no link transfers.
Result<Traffic> evaluate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics = kExact);

}  // namespace reference

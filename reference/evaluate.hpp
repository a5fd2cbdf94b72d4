// Closed-form counts: no walk over iterations. Exact in every dialect, sliding windows included.
// Does not read files; does not count mappings with remainders.
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
/// Units:  words per instance and in total; cycles.
/// Errors: inconsistent (check_case, or a loop with a remainder); overflow beyond 2^63-1, or where
///         over 2^20 spatial instances would have to be compared one by one. Capacity is not
///         checked here: fits() does.
/// Source: loop-nest tile analysis, Timeloop (ISPASS 2019), in the dialect of `semantics`;
///         docs/reference-model.md has the rules.
Result<Traffic> evaluate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics = kExact);

}  // namespace reference

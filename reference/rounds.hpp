// Mappings with remainders as timeloop-model counts them, short tiles charged as full ones and all.
// Does not count what is true: `exact` does, in the walk of simulate.cpp.
// Called by simulate().
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/mapping.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"
#include "reference/workload.hpp"

namespace reference {

/// Shape, units and errors as simulate(). The case has passed check_case() and the dialect is one
/// of Timeloop's. Found by comparison with timeloop-model: docs/reference-model.md says how far it
/// agrees. Instances are the mean number that has work, cut; totals are the words of one instance
/// times it. Computes are those of the first instance times the mean of instances.
Result<Traffic> count_rounds(const Workload& workload, const Architecture& architecture,
                             const Mapping& mapping, const Semantics& semantics);

}  // namespace reference

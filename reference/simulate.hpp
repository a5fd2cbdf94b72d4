// Literal walk over every visit of every tile: slow, obvious, the oracle, for remainders as well.
// Does not take shortcuts but those of the dialect: it reads like the definition.
// Called by tests, as the judge of evaluate(), and for mappings with remainders.
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
/// Errors: as evaluate(), but remainders are walked; also overflow where the walk would exceed 10^9
///         visits of children at one boundary, or, with remainders, 2^20 instances.
/// Source: loop-nest tile analysis, Timeloop (ISPASS 2019); docs/reference-model.md has the rules.
///
/// With remainders (Loop::last_bound) `exact` walks everything as it is, whatever is asked of
/// extrapolation: tiles are shorter at the end of a dimension, and an instance without work needs
/// nothing and keeps what it holds. `instances` are those that ever work; words per instance are
/// the mean over them, rounded half up, and `total` is the true sum. First touches are counted for
/// each instance by itself. Compute cycles are the steps in which any unit works; `tile_words` is
/// the largest tile. The dialects of Timeloop count as it does: rounds.hpp.
Result<Traffic> simulate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics = kExact);

}  // namespace reference

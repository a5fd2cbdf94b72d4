// The mapping of a case: per storage level its temporal and spatial loops and the data spaces it keeps.
// Does not check itself against a workload: check_case() does.
// Used by everything in reference/ and, as a value, by the grader.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/workload.hpp"

namespace reference {

struct Loop {
    DimensionId dimension{};
    std::int64_t bound = 1;  // at least 1
    bool operator==(const Loop&) const = default;
};

struct MappingLevel {
    std::vector<Loop> temporal;  // outermost first
    std::vector<Loop> spatial;   // over the instances of the next inner level (below the last: the units)
    std::vector<bool> keep;      // one entry per data space of the workload
    bool operator==(const MappingLevel&) const = default;
};

/// One MappingLevel per level of the architecture, outermost first.
struct Mapping {
    std::vector<MappingLevel> levels;
    bool operator==(const Mapping&) const = default;
};

/// The three inputs belong together: equal level counts, bounds of each dimension multiply up to its
/// size, level 0 keeps everything, exactly one output, names unique and not empty, spatial factors
/// fit the instances.
/// Errors: inconsistent, naming the level, data space or dimension; overflow.
/// Does not check capacities: fits() of tiles.hpp does.
Result<void> check_case(const Workload& workload, const Architecture& architecture,
                        const Mapping& mapping);

}  // namespace reference

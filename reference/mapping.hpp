// The mapping of a case: per storage level its temporal and spatial loops and the data spaces it
// keeps. Does not check itself against a workload: check_case() does. Used by everything in
// reference/ and, as a value, by the grader.
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

struct Loop {
    DimensionId dimension{};
    std::int64_t bound = 1;  // at least 1
    /// In the last round of all loops of this dimension outside it; 0: the same as `bound`.
    std::int64_t last_bound = 0;
    [[nodiscard]] std::int64_t last() const { return last_bound == 0 ? bound : last_bound; }
    bool operator==(const Loop&) const = default;
};

struct MappingLevel {
    std::vector<Loop> temporal;  // outermost first
    std::vector<Loop>
        spatial;  // over the instances of the next inner level (below the last: the units)
    std::vector<bool> keep;  // one entry per data space of the workload
    /// The first so many spatial loops run along the columns (Y) of the array, the rest along its
    /// rows (X). Only link transfers ask.
    std::size_t spatial_y = 0;
    bool operator==(const MappingLevel&) const = default;
};

/// One MappingLevel per level of the architecture, outermost first.
struct Mapping {
    std::vector<MappingLevel> levels;
    bool operator==(const Mapping&) const = default;
};

/// Whether some loop is shorter in its last round.
bool has_remainders(const Mapping& mapping);

/// At most this many ranks in one data space.
constexpr std::size_t kMaxRanks = 16;

/// Reads the table [mapping]; docs/model-files.md lists its keys. Names of dimensions, data spaces
/// and levels are those of the other two inputs.
/// Errors: unreadable, with every mistake found on a line of its own.
Result<Mapping> read_mapping(const Document& document, const Workload& workload,
                             const Architecture& architecture);

/// The three inputs belong together: equal level counts, bounds of each dimension multiply up to
/// its size (with remainders: the last bounds are one plus the digits of size - 1), level 0 keeps
/// everything, exactly one output, names unique and not empty, spatial factors fit the instances
/// and units. Each rank of the output is one dimension of its own with coefficient 1, so that two
/// of its tiles are equal or disjoint. Errors: inconsistent, naming the level, data space or
/// dimension; overflow, where the iterations or the words of a data space exceed 2^63-1. Does not
/// check capacities: fits() of tiles.hpp does.
Result<void> check_case(const Workload& workload, const Architecture& architecture,
                        const Mapping& mapping);

}  // namespace reference

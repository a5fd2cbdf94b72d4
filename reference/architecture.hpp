// The architecture of a case: storage levels, outermost (DRAM) first.
// Does not know of a workload; capacities are in words.
// Used by everything in reference/ and, as a value, by the grader.
#pragma once

#include "reference/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reference {

class Document;

struct StorageLevel {
    std::string name;
    std::optional<std::int64_t> capacity_words;  // of one instance; none: unlimited (DRAM)
    std::int64_t word_bits = 16;
    std::int64_t instances = 1;            // in hardware, in all; a mapping may use fewer
    std::optional<double> read_bandwidth;  // words per cycle and instance; none: unlimited
    std::optional<double> write_bandwidth;
    std::optional<double> shared_bandwidth;  // of reads and writes together
    std::int64_t multiple_buffering = 1;     // a tile takes so many times its words; at least 1
    std::optional<std::int64_t> mesh_x;      // columns of all instances; none: they are one row
    bool operator==(const StorageLevel&) const = default;
};

/// The multiply-accumulate units, inside the last level.
struct ComputeUnits {
    std::string name;
    std::int64_t instances = 1;
    std::optional<std::int64_t> mesh_x;  // as in StorageLevel
    bool operator==(const ComputeUnits&) const = default;
};

struct Architecture {
    std::vector<StorageLevel> levels;
    std::optional<ComputeUnits> compute;  // none: as many units as a mapping uses
    bool operator==(const Architecture&) const = default;
};

/// Reads the table [architecture]; docs/model-files.md lists its keys.
/// Errors: unreadable, with every mistake found on a line of its own.
Result<Architecture> read_architecture(const Document& document);

}  // namespace reference

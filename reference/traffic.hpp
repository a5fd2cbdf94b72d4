// The result of the model: words per level and data space, and cycles.
// Does not compute: evaluate.hpp and simulate.hpp do.
// Used by both engines, the tests and the grader's quantities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reference {

struct Words {
    std::int64_t reads = 0;
    std::int64_t fills = 0;
    std::int64_t updates = 0;
    bool operator==(const Words&) const = default;
};

/// What one level does for one data space. Per instance; times `instances` for the whole level.
struct Movement {
    std::int64_t tile_words = 0;  // bounding box of one instance's tile
    std::int64_t reads = 0;       // words read here: for the children, and by read-modify-write
    std::int64_t fills = 0;       // words that arrive from the nearest outer keeping level
    std::int64_t updates = 0;     // words that arrive from inside (outputs only)
    std::int64_t partition_words = 0;  // share of the tensor that one instance works on
    Words total;                       // of all instances; the true sums, whatever was rounded
    bool operator==(const Movement&) const = default;
};

struct LevelTraffic {
    std::string name;
    std::int64_t instances = 1;                      // used by the mapping
    std::vector<std::optional<Movement>> movements;  // per data space; none: bypassed here
    std::int64_t cycles = 0;                         // compute or bandwidth, whichever is larger
    double throttling = 1;  // compute cycles / cycles, before rounding; 1: no bandwidth binds
    bool operator==(const LevelTraffic&) const = default;
};

/// Shape: levels outermost first x data spaces in workload order. Units: words, cycles.
struct Traffic {
    std::vector<LevelTraffic> levels;
    std::int64_t computes = 0;  // multiply-accumulate operations in all
    std::int64_t cycles = 0;    // the largest over the levels
    double utilization = 1;     // computes / (units in hardware x cycles)
    bool operator==(const Traffic&) const = default;
};

/// Every number in which two results differ, one a line: "Buffer: B: reads: 48, not 96". The names
/// of data spaces are given, as a Traffic does not carry them. Empty if the two are equal.
std::string difference(const Traffic& actual, const Traffic& expected,
                       const std::vector<std::string>& data_spaces);

}  // namespace reference

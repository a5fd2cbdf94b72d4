// The least off-chip traffic of a workload for each buffer size, over all mappings of a two-level
// chip: DRAM, one buffer, multiply-accumulate units, no spatial loops. The idea of Orojenesis
// (ISCA 2024): a curve that no mapping of such a chip can be below.
// Does not read files or print. Called by `perfjudge bound` and by tests.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"
#include "reference/loop_order.hpp"
#include "reference/workload.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace reference {

struct BoundOptions {
    /// Only what fits into a buffer of so many words; none: the whole curve.
    std::optional<std::int64_t> buffer_words;
    /// A data space may bypass the buffer: it takes no room, and each operation moves its word.
    bool bypass = true;
    /// See loop_order.hpp.
    OrderOptions orders;
    /// Beyond so many candidates (tile x choice of kept data spaces x state of the order search)
    /// the search is a heuristic: fewer tiles, then what is next to the best ones.
    std::int64_t most_candidates = std::int64_t{1} << 30U;
    /// Leave out a tile of which a bound says that it cannot improve on what is known.
    bool prune = true;
    /// Told now and then how many of the tiles are done.
    std::function<void(std::int64_t done, std::int64_t all)> progress;
};

/// A step of the curve: from this buffer size on, up to the next point, the traffic is the least.
struct BoundPoint {
    std::int64_t buffer_words = 0;  // what the tiles of the mapping take
    std::int64_t traffic = 0;       // words: DRAM reads + updates of all data spaces
    Case best;                      // reaches it; the buffer is just as large as needed
};

struct Bound {
    std::vector<BoundPoint> points;  // words ascend, traffic descends; of one size: one point
    bool proven = true;              // false: some mapping that was not tried may be better
    std::int64_t candidates = 0;     // in the whole space, as BoundOptions::most_candidates counts
    std::int64_t tiles_tried = 0;    // those whose orders were searched
    /// Words that any mapping moves: those that some iteration needs, inputs and output, once each.
    std::int64_t compulsory = 0;
};

/// Words:  `exact` counting. Every point has been confirmed by evaluate().
/// Space:  every split of every dimension into DRAM loops and a tile by perfect factors, every
/// order
///         of the DRAM loops, a dimension several times among them if OrderOptions says so, every
///         choice of data spaces that bypass the buffer.
/// Errors: inconsistent (the workload of check_case(), or too many data spaces); does_not_fit,
/// where
///         a buffer is too small for any mapping; overflow, where the least traffic of some buffer
///         size asked for exceeds 2^63-1 words.
/// Source: Huang et al., "Mind the Gap: Attainable Data Movement and Operational Intensity Bounds
///         for Tensor Algorithms", ISCA 2024; the search over orders is our own (loop_order.cpp).
Result<Bound> bound(const Workload& workload, const BoundOptions& options = {});

}  // namespace reference

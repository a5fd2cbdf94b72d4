// The best order of the DRAM loops around one tile of a two-level chip, over all orders at once.
// Does not choose the tile and does not know of buffer sizes.
// Called by bound.cpp.
#pragma once

#include "reference/loop_chains.hpp"
#include "reference/mapping.hpp"
#include "reference/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace reference {

/// One bit a data space, in workload order: kept in the buffer or not.
using KeepMask = std::uint32_t;
constexpr bool keeps(KeepMask kept, std::size_t data_space) {
    return (kept >> data_space & 1U) != 0;
}

/// Stands for every count beyond 2^63-1.
constexpr std::int64_t kTooManyWords = std::numeric_limits<std::int64_t>::max();

struct OrderOptions {
    bool repeated_loops = true;     // a dimension may have several DRAM loops
    bool whole_plain_loops = true;  // but not where that cannot help: see loop_order.cpp
    std::size_t most_states = std::size_t{1} << 15U;  // of one tile; beyond: a greedy order
};

/// Words that some iteration needs, and so must be moved at least once: without the holes that the
/// bounding box of a stride has. Where three or more dimensions move one rank irregularly and there
/// are over 2^20 combinations, only a count that is surely not larger.
std::int64_t touched_words(const DataSpace& data_space, const Workload& workload);

/// Off-chip words (DRAM reads + updates) of a tile under the best order of the DRAM loops.
/// Units: words of all data spaces. Counting: `exact`.
/// Source: the sum of evaluate.cpp, taken apart by loops: what a loop costs depends on the loops
///         inside it only through the product of their bounds in each dimension, not through their
///         order. So the best order is a shortest path over those products.
class LoopOrders {
  public:
    /// The workload has passed check_case() and has at most 32 data spaces. It must outlive this.
    LoopOrders(const Workload& workload, OrderOptions options);

    /// Words that any mapping moves: touched_words() of all data spaces.
    [[nodiscard]] std::int64_t compulsory() const;

    /// Products in the search for one dimension of which `count` iterations are left to the DRAM
    /// loops; the states of a tile are the product over the dimensions.
    [[nodiscard]] std::size_t states(std::size_t dimension, std::int64_t count) const;

    /// Bounds of the tile, one a dimension; each divides its size. Everything below is about it.
    void set_tile(std::span<const std::int64_t> tile);
    [[nodiscard]] std::int64_t tile_words(std::size_t data_space) const {
        return spaces_[data_space].words;
    }
    /// The tile has over most_states states: least() may miss the best order.
    [[nodiscard]] bool greedy() const { return states_ > options_.most_states; }
    [[nodiscard]] std::size_t states() const { return states_; }

    /// No order costs less, whether or not one costs as little.
    [[nodiscard]] std::int64_t at_least(KeepMask kept) const;
    /// Per choice of kept data spaces the traffic of its best order, or kTooManyWords.
    void least(std::span<const KeepMask> kept, std::span<std::int64_t> traffic);
    /// The loops of that order, outermost first, none of bound 1.
    std::vector<Loop> order(KeepMask kept);

  private:
    struct Space {
        const DataSpace* data_space = nullptr;
        bool plain = false;          // every rank has one term: two boxes are equal or disjoint
        std::int64_t weight = 1;     // 2 of the output: each arrival is read back and written
        std::int64_t free = 0;       // of the output: its words, whose first touches are not read
        std::int64_t touched = 0;    // see touched_words()
        std::int64_t words = 0;      // of the tile
        std::uint64_t relevant = 0;  // one bit a digit
        std::vector<std::int64_t> extents;    // of the tile, per rank
        std::vector<std::int64_t> steps;      // rank x digit: of the innermost loop of the digit
        std::vector<std::int64_t> fallbacks;  // per rank: from the last index of all loops inside
    };
    /// A dimension of which DRAM loops are left.
    struct Digit {
        std::size_t dimension = 0;
        const Chain* chain = nullptr;
        std::size_t stride = 1;  // in the number of a state
        std::size_t at = 0;      // the product inside, as a position in the chain
        [[nodiscard]] std::int64_t product() const { return chain->products[at]; }
    };
    struct Dimension {
        std::vector<std::int64_t> counts;  // the divisors of its size
        std::vector<Chain> chains;         // of each
    };
    struct Reached {
        std::int64_t words;
        std::size_t from;
    };
    struct Move {
        std::size_t digit, to;
    };

    [[nodiscard]] const Chain& chain(std::size_t dimension, std::int64_t count) const;
    void set_space(Space& space, std::span<const std::int64_t> tile) const;
    [[nodiscard]] std::int64_t first_words(KeepMask kept) const;
    [[nodiscard]] std::int64_t final_words(KeepMask kept, std::int64_t moved) const;
    void go_to(std::size_t state);
    void enter();
    [[nodiscard]] std::int64_t new_words(const Space& space, Move move) const;
    void price(Move move, std::span<std::int64_t> words) const;
    void search(std::span<const KeepMask> kept);
    [[nodiscard]] std::vector<Move> path(std::size_t choice, std::size_t choices) const;
    std::vector<Move> greedy_path(KeepMask kept, std::int64_t& moved);

    OrderOptions options_;
    std::int64_t computes_ = 1;
    std::vector<Dimension> dimensions_;
    std::vector<std::int64_t> sizes_;
    std::vector<Space> spaces_;
    std::vector<Digit> digits_;
    std::size_t states_ = 1;
    std::int64_t steps_ = 1;  // combinations of all DRAM loops

    std::int64_t inside_ = 1;       // of the state at hand: combinations of the loops inside
    std::uint64_t moving_ = 0;      // digits that have a loop inside
    std::vector<Reached> reached_;  // state x choice
};

}  // namespace reference

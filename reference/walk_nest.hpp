// The loops around one boundary while they run: every step in time, every parent, every child.
// Does not know of words; a case with remainders is walked as it is, no loop is rounded.
// Used by the walk of simulate.cpp only.
#pragma once

#include "reference/checked.hpp"
#include "reference/mapping.hpp"
#include "reference/semantics.hpp"
#include "reference/walk_box.hpp"
#include "reference/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace reference::walk {

/// What is walked, and by which rules.
struct Walk {
    const Workload& workload;
    const Architecture& architecture;
    const Mapping& mapping;
    Semantics semantics;
    bool remainders = false;  // some loop has a last bound of its own
    /// A case with remainders is always walked in full.
    [[nodiscard]] bool extrapolates() const { return semantics.extrapolation && !remainders; }
};

/// Between a level and an inner one, or the multiply-accumulate units.
struct Boundary {
    std::size_t parent = 0;
    std::size_t child = 0;  // the number of levels: the units
};

/// A loop while it runs: its index, and how far one step of it moves in its dimension.
struct RunningLoop {
    std::size_t level = 0;
    DimensionId dimension{};
    std::int64_t bound = 1;
    std::int64_t stride = 1;  // the product of all bounds of that dimension inside this loop
    std::int64_t index = 0;
    std::int64_t second_counts = 1;  // how often the iteration with index 1 counts
};

using Loops = std::vector<RunningLoop>;

/// All temporal, or all spatial, loops of the levels from `first` to before `last`, outermost
/// first.
Loops loops_of(const Mapping& mapping, std::vector<Loop> MappingLevel::*kind, std::size_t first,
               std::size_t last);

/// To the next combination of indices, the last loop fastest. False after the last combination:
/// then all indices are 0 again.
bool advance(Loops& loops);

/// Timeloop's shortcut: of each loop only the first two iterations run, the second for all others.
void extrapolate(Loops& loops);

/// How often the iterations count at which the loops stand.
Count weight(const Loops& loops);

/// Product of the bounds.
Count combinations(const Loops& loops);

/// Per dimension the index at which the part inside `level` begins. There is nothing to do where
/// one of them is past its dimension: this happens only with remainders.
std::vector<std::int64_t> start_of(const Workload& workload, std::size_t level,
                                   const std::vector<const Loops*>& loops);
bool has_work(const Workload& workload, const std::vector<std::int64_t>& start);

/// Instances of `level` that ever have work.
std::int64_t used_instances(const Walk& walk, std::size_t level);

/// The tile that begins at `start`: `bounds` iterations of each dimension, fewer at its end.
Box box_of(const DataSpace& data_space, const Workload& workload,
           const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& bounds);

}  // namespace reference::walk

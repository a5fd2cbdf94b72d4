// The rules of overlap.
// Does not count.
// See walk_memory.hpp.
#include "reference/walk_memory.hpp"

#include <algorithm>
#include <cstddef>

namespace reference::walk {

WordSet Memory::visit(const Box& now, Dialect dialect) {
    if (!held_) {
        held_ = now;
        return all_of(now);
    }
    WordSet needed = dialect == Dialect::exact ? difference(now, *held_) : after_step(now, dialect);
    *held_ = now;
    return needed;
}

/// Timeloop looks at the step from the previous tile to this one. The overlap is kept while the
/// tile moves on by the same step; any other step brings all of it again and is not remembered.
WordSet Memory::after_step(const Box& now, Dialect dialect) {
    Step step(now.size());
    for (std::size_t r = 0; r < now.size(); ++r) step[r] = now[r].first - (*held_)[r].first;
    const bool still = std::all_of(step.begin(), step.end(), [](auto s) { return s == 0; });
    // Since January 2025 standing still leaves the remembered step as it is; before, it was a step
    // like any other.
    if (still && dialect == Dialect::timeloop) return difference(now, *held_);
    if (step_ && *step_ != step) {
        step_.reset();
        return all_of(now);
    }
    step_ = step;
    return difference(now, *held_);
}

}  // namespace reference::walk

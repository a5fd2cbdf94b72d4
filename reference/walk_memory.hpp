// What one instance remembers between two visits, and what of a new tile it therefore needs.
// Does not know where the tiles come from or who shares them.
// Used by the walk of simulate.cpp only.
#pragma once

#include "reference/semantics.hpp"
#include "reference/walk_box.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace reference::walk {

/// Nothing is remembered but the tile that was there just before and, in the dialects of Timeloop,
/// the step that led to it.
class Memory {
  public:
    /// The words of `now` that have to be delivered. `now` is then the tile that is held.
    WordSet visit(const Box& now, Dialect dialect);

  private:
    using Step = std::vector<std::int64_t>;  // from tile to tile, in each rank

    [[nodiscard]] WordSet after_step(const Box& now, Dialect dialect);

    std::optional<Box> held_;
    std::optional<Step> step_;
};

}  // namespace reference::walk

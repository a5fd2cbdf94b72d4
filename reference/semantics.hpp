// What is counted: our exact counting, or what Timeloop prints, in its variants.
// Does not count. docs/reference-model.md shows a smallest example of every difference.
// Given to evaluate() and simulate(); chosen by `perfjudge model --semantics`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace reference {

enum class Dialect : std::uint8_t {
    exact,         // whatever a tile has in common with the one just before it is kept
    timeloop,      // the overlap is kept while the tile moves on by the same step; else all of it
                   // comes again; standing still changes nothing
    timeloop_2024  // the same, but standing still is a step like any other (before January 2025)
};

/// The dialect also decides how cycles are rounded: cycles.hpp.
struct Semantics {
    Dialect dialect = Dialect::exact;
    /// A child takes its words from a neighbour in the array that had exactly these words one step
    /// before, where that lowers the accesses of the parent.
    bool links = false;
    /// Of each temporal loop only the first two iterations are walked; the second counts
    /// (bound - 1) times.
    bool extrapolation = false;
    bool operator==(const Semantics&) const = default;
};

constexpr Semantics kExact{};
constexpr Semantics kTimeloop{Dialect::timeloop, true, true};
constexpr Semantics kTimeloop2024{Dialect::timeloop_2024, true, true};

/// By the names of the command line: "exact", "timeloop", "timeloop-2024". None: no such name.
std::optional<Semantics> semantics_named(std::string_view name);
/// All names, for messages and help.
std::vector<std::string_view> semantics_names();

}  // namespace reference

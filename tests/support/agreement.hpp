// Whether an engine counts what the walk counts, and the smallest case where it does not.
// Does not choose cases.
// Used by tests/reference.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tests {

using Engine = std::function<reference::Result<reference::Traffic>(const reference::Case&,
                                                                   const reference::Semantics&)>;

reference::Result<reference::Traffic> evaluated(const reference::Case& input,
                                                const reference::Semantics& semantics);
reference::Result<reference::Traffic> simulated(const reference::Case& input,
                                                const reference::Semantics& semantics);

/// Three dialects, each with and without links and extrapolation.
std::vector<reference::Semantics> all_semantics();

/// Empty if both engines give the same numbers, all of them; else what differs or what one of them
/// refuses. A legal case that an engine refuses is a difference.
std::string disagreement(const Engine& engine, const Engine& oracle, const reference::Case& input,
                         const reference::Semantics& semantics);

/// A case where the engines disagree, made as small as it goes.
struct Counterexample {
    reference::Case input;
    std::string text;  // semantics, difference and the case as TOML
};
Counterexample counterexample(const Engine& engine, const Engine& oracle,
                              const reference::Case& input, const reference::Semantics& semantics);

}  // namespace tests

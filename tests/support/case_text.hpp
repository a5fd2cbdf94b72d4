// A case as the TOML that docs/model-files.md describes, to be pasted into a file or a report.
// Does not read it: the readers of reference/ do.
// Used by tests that print a counterexample.
#pragma once

#include "reference/case.hpp"
#include "reference/semantics.hpp"

#include <string>

namespace tests {

/// One document with all three tables.
std::string toml_of(const reference::Case& input);

/// "timeloop, links, no extrapolation".
std::string name_of(const reference::Semantics& semantics);

}  // namespace tests

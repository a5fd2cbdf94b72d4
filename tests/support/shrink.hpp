// Makes a case that fails as small as it can be made while it still fails.
// Does not know what failing means, and does not keep remainders.
// Used by property tests before they print a counterexample.
#pragma once

#include "reference/case.hpp"

#include <functional>
#include <vector>

namespace tests {

/// Sizes become the products of the bounds; instances and columns grow or go where they no longer
/// fit.
void settle(reference::Case& input);

/// All legal cases that are one step smaller: without a level, a tensor, a loop, a rank, a term or
/// a bandwidth, with a lower bound or coefficient, less bypass, fewer spatial loops.
std::vector<reference::Case> smaller(const reference::Case& input);

/// Takes such steps as long as one of them leads to a case that fails. Asks `fails` of legal cases
/// only.
reference::Case shrink(reference::Case input,
                       const std::function<bool(const reference::Case&)>& fails);

}  // namespace tests

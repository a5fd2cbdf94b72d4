// Measures the reference model: mappings counted in a second on one core.
// Compares with nothing: Timeloop itself is not at hand; its own rate stands in the column of
// goals. Called by bench_main.cpp.
#pragma once

#include "tools/bench_support.hpp"

namespace tools::bench {

/// `plan.wanted` picks rows as elsewhere. The source tree is the working directory.
void bench_model(const Plan& plan);

}  // namespace tools::bench

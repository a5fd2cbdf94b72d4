// Peers of the distribution, where they are installed and start: the same program, as a user would.
// Does not configure them beyond what their manuals offer for this purpose.
// Called by bench_main.cpp.
#pragma once

#include "tools/bench_support.hpp"

namespace tools::bench {

void bench_peers(const Plan& plan, Bare& bare);

}  // namespace tools::bench

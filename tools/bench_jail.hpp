// The jail itself: cold, pooled, two at once, and what it costs us in CPU time.
// Runs a program that does nothing; languages are bench_submission.hpp's.
// Called by bench_main.cpp.
#pragma once

#include "tools/bench_support.hpp"

namespace tools::bench {

void bench_jail(const Plan& plan, Bare& bare);

}  // namespace tools::bench

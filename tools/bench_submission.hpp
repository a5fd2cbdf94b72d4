// Submissions as a worker runs them, against bare starts of the same compiler and interpreters.
// Does not judge the answers; the jails are those of a worker.
// Called by bench_main.cpp.
#pragma once

#include "tools/bench_support.hpp"

namespace tools::bench {

void bench_submission(const Plan& given, Bare& bare);

}  // namespace tools::bench

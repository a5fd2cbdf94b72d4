// Measures a C++ submission with 100 cases against a bare compilation and 100 bare runs.
// Does not judge the answers; the jails are those of a worker.
// Called by bench_main.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tools {

/// (times, file for standard input, program and arguments) -> microseconds in all.
using BareRun = std::function<double(int, const std::string&, const std::vector<std::string>&)>;
/// (name, goal, rounds, ours, bare): runs both in turn and prints the ratio.
using Pair = std::function<void(const std::string&, const std::string&, int,
                                const std::function<double()>&, const std::function<double()>&)>;

void bench_submission(const BareRun& bare, const Pair& pair, int rounds);

}  // namespace tools

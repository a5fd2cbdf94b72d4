// What every measurement needs: a bare baseline, a clock, pairs, and how to give up.
// Measures nothing itself.
// Used by tools/bench_*.cpp.
#pragma once

#include "sandbox/child.hpp"
#include "sandbox/unique_fd.hpp"

#include <tl/expected.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tools::bench {

double now_us();

/// Nothing can be measured: says why and ends the program with 3.
[[noreturn]] void fail(const std::string& what);

template <class T, class E>
T need(tl::expected<T, E> result) {
    if (!result) fail(result.error().what);
    return std::move(*result);
}

/// The small static process from which every baseline is started.
class Bare {
  public:
    explicit Bare(const std::filesystem::path& program);
    /// Microseconds of `times` runs one after the other, standard input from `input`; below 0 if
    /// the program does not end with 0.
    double try_run(int times, const std::string& input, const std::vector<std::string>& words);
    /// The same; a program that fails ends the bench.
    double run(int times, const std::string& input, const std::vector<std::string>& words);

  private:
    sandbox::UniqueFd commands_, answers_;
    sandbox::Child child_;
};

/// What to measure, and how often.
struct Plan {
    std::filesystem::path folder;  // of the bench programs
    int rounds = 60;
    std::string wanted;  // part of the names of the pairs to run; empty: all
};

using Measure = std::function<double()>;

void print_head();

/// Runs the two in turn and prints the median of the ratios, pair by pair. Nothing if the name is
/// not wanted.
void pair(const Plan& plan, const std::string& name, const std::string& goal, const Measure& ours,
          const Measure& bare);

/// A line without a ratio.
void note(const Plan& plan, const std::string& name, const std::string& text);

}  // namespace tools::bench

// Rates and intervals over tasks and samples: pure functions of counts.
// Knows nothing of verdicts; whoever calls has left out what is void.
// Called by summary.cpp. Formulas and their sources: docs/report-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace grader {

/// Passes among the samples of one task.
struct Tally {
    std::uint64_t passed = 0;
    std::uint64_t samples = 0;
};

struct Interval {
    double low = 0;
    double high = 0;
};

struct MeanRate {
    double mean = 0;                       // mean over tasks of each task's pass rate
    std::optional<double> standard_error;  // clustered by task; none for fewer than two tasks
    std::optional<Interval> interval;      // t with n-1 degrees of freedom, cut to [0, 1]
};

/// Chance that at least one of k samples drawn without return passes; none if there are fewer than
/// k. Source: Chen et al. 2021 (arXiv 2107.03374), unbiased estimator.
std::optional<double> pass_at_k(const Tally& tally, std::uint64_t k);

/// Chance that all of k samples drawn without return pass; none if there are fewer than k.
/// Source: Yao et al. 2024 (arXiv 2406.12045).
std::optional<double> pass_power_k(const Tally& tally, std::uint64_t k);

/// Means of the two over tasks; none if there is no task or one has fewer than k samples.
std::optional<double> mean_pass_at_k(std::span<const Tally> tasks, std::uint64_t k);
std::optional<double> mean_pass_power_k(std::span<const Tally> tasks, std::uint64_t k);

/// Score interval of a proportion; none without samples. Source: Wilson 1927.
std::optional<Interval> wilson(const Tally& tally, double level = 0.95);

/// Mean of the tasks' pass rates; none if no task has a sample. Tasks without samples are left out.
/// Samples of one task are not independent, so the tasks are the units. Source: Miller 2024
/// (arXiv 2411.00640) with the G/(G-1) factor; Liang and Zeger 1986.
std::optional<MeanRate> mean_rate(std::span<const Tally> tasks, double level = 0.95);

}  // namespace grader

// The formulas, in products that neither overflow nor cancel.
// No rounding: reports round.
// See statistics.hpp.
#include "grader/statistics.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace grader {

namespace {

/// C(chosen, k) / C(all, k), for chosen <= all.
double share_of_draws(std::uint64_t chosen, std::uint64_t all, std::uint64_t k) {
    double share = 1;
    for (std::uint64_t i = 0; i < k; ++i) {
        if (chosen <= i) return 0;
        share *= static_cast<double>(chosen - i) / static_cast<double>(all - i);
    }
    return share;
}

double two_sided(double level) {
    return 1 - (1 - level) / 2;
}

double rate(const Tally& tally) {
    return static_cast<double>(tally.passed) / static_cast<double>(tally.samples);
}

using PerTask = std::optional<double> (*)(const Tally&, std::uint64_t);

std::optional<double> mean_of(std::span<const Tally> tasks, std::uint64_t k, PerTask per_task) {
    if (tasks.empty()) return std::nullopt;
    double sum = 0;
    for (const Tally& tally : tasks) {
        const std::optional<double> value = per_task(tally, k);
        if (!value) return std::nullopt;
        sum += *value;
    }
    return sum / static_cast<double>(tasks.size());
}

}  // namespace

std::optional<double> pass_at_k(const Tally& tally, std::uint64_t k) {
    if (tally.samples < k) return std::nullopt;
    return 1 - share_of_draws(tally.samples - tally.passed, tally.samples, k);
}

std::optional<double> pass_power_k(const Tally& tally, std::uint64_t k) {
    if (tally.samples < k) return std::nullopt;
    return share_of_draws(tally.passed, tally.samples, k);
}

std::optional<double> mean_pass_at_k(std::span<const Tally> tasks, std::uint64_t k) {
    return mean_of(tasks, k, pass_at_k);
}

std::optional<double> mean_pass_power_k(std::span<const Tally> tasks, std::uint64_t k) {
    return mean_of(tasks, k, pass_power_k);
}

std::optional<Interval> wilson(const Tally& tally, double level) {
    if (tally.samples == 0) return std::nullopt;
    const double z = boost::math::quantile(boost::math::normal(), two_sided(level));
    const double n = static_cast<double>(tally.samples);
    const double p = rate(tally);
    const double centre = p + z * z / (2 * n);
    const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    return Interval{std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

std::optional<MeanRate> mean_rate(std::span<const Tally> tasks, double level) {
    std::vector<double> rates;
    for (const Tally& tally : tasks)
        if (tally.samples > 0) rates.push_back(rate(tally));
    if (rates.empty()) return std::nullopt;
    const double n = static_cast<double>(rates.size());
    MeanRate result;
    for (double value : rates) result.mean += value / n;
    if (rates.size() < 2) return result;

    double squares = 0;
    for (double value : rates) squares += (value - result.mean) * (value - result.mean);
    const double error = std::sqrt(squares / (n - 1) / n);
    const double t = boost::math::quantile(boost::math::students_t(n - 1), two_sided(level));
    result.standard_error = error;
    result.interval =
        Interval{std::max(0.0, result.mean - t * error), std::min(1.0, result.mean + t * error)};
    return result;
}

}  // namespace grader

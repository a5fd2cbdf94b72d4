// Bandwidths to cycles.
// Does not model latency or buffering: transfers and compute overlap perfectly.
// See cycles.hpp.
#include "reference/cycles.hpp"

#include "reference/checked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace reference {

namespace {

constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53U;
constexpr double kCyclesLimit = 0x1p63;

struct Demand {
    Count words;
    double per_cycle = 0;  // the same / compute cycles, as Timeloop adds it up
    void add(Count more, double compute_cycles) {
        words += more;
        per_cycle += static_cast<double>(more.value()) / compute_cycles;
    }
};

/// Lets one bandwidth slow down a level. False: more words than double precision tells apart.
bool slow_down(const Demand& demand, std::optional<double> bandwidth, double& throttling,
               double& quotient) {
    if (!bandwidth || demand.words.value() == 0) return true;
    if (demand.words.too_large() || demand.words.value() > kExactInDouble) return false;
    throttling = std::min(throttling, *bandwidth / demand.per_cycle);
    quotient = std::max(quotient, static_cast<double>(demand.words.value()) / *bandwidth);
    return true;
}

/// Throttling and cycles of a level. False: the cycles are not a 64-bit number.
bool count_level(const StorageLevel& storage, double compute_cycles, Dialect dialect,
                 LevelTraffic& level) {
    Demand read;
    Demand written;
    for (const auto& movement : level.movements) {
        if (!movement) continue;
        read.add(Count(movement->reads), compute_cycles);
        written.add(Count(movement->fills) + Count(movement->updates), compute_cycles);
    }
    const Demand both{read.words + written.words, read.per_cycle + written.per_cycle};
    double quotient = compute_cycles;
    if (!slow_down(read, storage.read_bandwidth, level.throttling, quotient) ||
        !slow_down(written, storage.write_bandwidth, level.throttling, quotient) ||
        !slow_down(both, storage.shared_bandwidth, level.throttling, quotient))
        return false;
    if (quotient == compute_cycles && level.throttling == 1) return true;
    const double cycles =
        std::ceil(dialect == Dialect::exact ? quotient : compute_cycles / level.throttling);
    if (!(cycles < kCyclesLimit)) return false;
    level.cycles = static_cast<std::int64_t>(cycles);
    return true;
}

}  // namespace

Result<void> count_cycles(const Architecture& architecture, std::int64_t compute_cycles,
                          Dialect dialect, Traffic& traffic) {
    const auto compute = static_cast<double>(compute_cycles);
    traffic.cycles = compute_cycles;
    for (std::size_t i = 0; i < traffic.levels.size(); ++i) {
        LevelTraffic& level = traffic.levels[i];
        const StorageLevel& storage = architecture.levels[i];
        level.cycles = compute_cycles;
        level.throttling = 1;
        if (!storage.read_bandwidth && !storage.write_bandwidth && !storage.shared_bandwidth)
            continue;
        if (!count_level(storage, compute, dialect, level))
            return tl::unexpected(
                Error{Error::Code::overflow,
                      fmt::format("level '{}': too many words to count their cycles", level.name)});
        traffic.cycles = std::max(traffic.cycles, level.cycles);
    }
    std::int64_t units = 1;  // in hardware, else as many as the mapping uses
    if (architecture.compute)
        units = architecture.compute->instances;
    else
        units = traffic.computes / compute_cycles;
    traffic.utilization = static_cast<double>(traffic.computes) /
                          (static_cast<double>(units) * static_cast<double>(traffic.cycles));
    return {};
}

}  // namespace reference

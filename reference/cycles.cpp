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

/// None: not a 64-bit number of cycles.
std::optional<std::int64_t> transfer_cycles(Count words, std::optional<double> bandwidth) {
    if (!bandwidth) return 0;
    if (words.too_large() || words.value() > kExactInDouble) return std::nullopt;
    const double cycles = std::ceil(static_cast<double>(words.value()) / *bandwidth);
    if (!(cycles < kCyclesLimit)) return std::nullopt;
    return static_cast<std::int64_t>(cycles);
}

}  // namespace

Result<void> count_cycles(const Architecture& architecture, std::int64_t compute_cycles,
                          Traffic& traffic) {
    traffic.cycles = compute_cycles;
    for (std::size_t i = 0; i < traffic.levels.size(); ++i) {
        LevelTraffic& level = traffic.levels[i];
        Count read(0);
        Count written(0);
        for (const auto& movement : level.movements) {
            if (!movement) continue;
            read += Count(movement->reads);
            written += Count(movement->fills) + Count(movement->updates);
        }
        const auto reading = transfer_cycles(read, architecture.levels[i].read_bandwidth);
        const auto writing = transfer_cycles(written, architecture.levels[i].write_bandwidth);
        if (!reading || !writing)
            return tl::unexpected(
                Error{Error::Code::overflow,
                      fmt::format("level '{}': too many words to count their cycles", level.name)});
        level.cycles = std::max({compute_cycles, *reading, *writing});
        traffic.cycles = std::max(traffic.cycles, level.cycles);
    }
    return {};
}

}  // namespace reference

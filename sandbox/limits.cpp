// Checks on limits.
// Does not enforce them.
// See limits.hpp.
#include "sandbox/limits.hpp"

#include <string>

namespace sandbox {

namespace {

struct Range {
    std::string_view name;
    std::uint64_t value, low, high;
};

}  // namespace

Result<void> check(const Limits& limits) {
    constexpr std::uint64_t kDay_ms = 86'400'000;
    constexpr std::uint64_t kTib = std::uint64_t{1} << 40U;
    const Range ranges[] = {
        {"cpu_ms", static_cast<std::uint64_t>(limits.cpu_time.count()), 1, kDay_ms},
        {"wall_ms", static_cast<std::uint64_t>(limits.wall_time.count()), 1, kDay_ms},
        {"memory_bytes", limits.memory_bytes, 1U << 20U, kTib},
        {"output_bytes", limits.output_bytes, 1, 1U << 29U},
        {"file_bytes", limits.file_bytes, 1U << 12U, kTib},
        {"inodes", limits.inodes, 2, 1U << 24U},
        {"processes", limits.processes, 1, 1U << 15U},
        {"open_files", limits.open_files, 8, 1U << 16U},
    };
    for (const Range& range : ranges) {
        if (range.value < range.low || range.value > range.high)
            return tl::unexpected(Error{Error::Code::bad_request, 0,
                                        "limit " + std::string(range.name) + " is " +
                                            std::to_string(range.value) + ", must be from " +
                                            std::to_string(range.low) + " to " +
                                            std::to_string(range.high)});
    }
    return {};
}

}  // namespace sandbox

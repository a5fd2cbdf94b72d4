// What one run may use.
// Does not say how a limit is enforced: the outcome names the limiter of each.
// Used by callers of Jail::run and by the helper.
#pragma once

#include "sandbox/error.hpp"

#include <chrono>
#include <cstdint>

namespace sandbox {

struct Limits {
    std::chrono::milliseconds cpu_time{1000};  // all processes of the run together
    std::chrono::milliseconds wall_time{
        5000};  // at least 4 x cpu_time + 1 s unless set by the caller
    std::uint64_t memory_bytes = 256U << 20U;  // anonymous and shared memory of all processes
    std::uint64_t output_bytes = 1U << 20U;    // stdout, stderr and answer, each and together
    std::uint64_t file_bytes = 16U << 20U;     // all files in the box, and each one
    std::uint32_t inodes = 256;
    std::uint32_t processes = 16;  // processes and threads at one time
    std::uint32_t open_files = 64;
    bool operator==(const Limits&) const = default;
};

/// Every limit positive and within what the kernel can take.
/// Errors: bad_request naming the limit.
Result<void> check(const Limits& limits);

}  // namespace sandbox

// Sums memory and CPU of a jail's processes from the host's /proc, where no cgroup does it.
// A sampled number is a lower bound between two readings; reports say `sampled`.
// Called by the keeper every 10 ms.
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace sandbox {

struct Sample {
    std::uint64_t cpu_ns = 0;        // live processes and their reaped children; clock ticks
    std::uint64_t memory_bytes = 0;  // anonymous memory, in swap as well, and page tables
    std::uint32_t processes = 0;
};

/// Whether a page that several processes share counts for each of them, or once (slower).
enum class Precision : std::uint8_t { sums, shares };

/// All descendants of `init`, itself and its zygote (-1: it has none) left out.
Sample sample_descendants(pid_t init, pid_t zygote, Precision precision = Precision::sums);

}  // namespace sandbox

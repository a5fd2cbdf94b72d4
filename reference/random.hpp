// Counter-based random numbers: the same on every machine, for every standard library.
// Not for secrets of ours: a hidden seed is only as secret as its file.
// Used by generators of cases and by tests.
#pragma once

#include <array>
#include <cstdint>

namespace reference {

/// 256-bit seed; from 64 hexadecimal digits in a seed file.
using Seed = std::array<std::uint8_t, 32>;

/// A stream of numbers that depends on (seed, stream) only. Philox4x32-10 (Salmon et al., SC 2011).
class Random {
  public:
    Random(const Seed& seed, std::uint64_t stream);
    std::uint64_t next();
    /// Uniform in [0, bound); unbiased. bound >= 1.
    std::uint64_t below(std::uint64_t bound);

  private:
    std::array<std::uint32_t, 4> key_{};  // seed folded to two Philox keys
    std::uint64_t stream_ = 0;
    std::uint64_t counter_ = 0;
};

}  // namespace reference

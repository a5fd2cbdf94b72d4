// Overflow-checked 64-bit counts: a value that remembers that it has become too large.
// Does not know negative numbers; does not stop a computation at the overflow.
// Used by everything in reference/ that multiplies bounds.
#pragma once

#include <cassert>
#include <cstdint>

namespace reference {

/// A count of words or iterations. Once over 2^63-1 it stays so, whatever follows.
class Count {
  public:
    constexpr Count() = default;
    constexpr explicit Count(std::int64_t value) : value_(value) { assert(value >= 0); }

    constexpr Count& operator*=(Count other) {
        too_large_ |= other.too_large_ || __builtin_mul_overflow(value_, other.value_, &value_);
        return *this;
    }
    constexpr Count& operator+=(Count other) {
        too_large_ |= other.too_large_ || __builtin_add_overflow(value_, other.value_, &value_);
        return *this;
    }
    friend constexpr Count operator*(Count a, Count b) { return a *= b; }
    friend constexpr Count operator+(Count a, Count b) { return a += b; }

    [[nodiscard]] constexpr bool too_large() const { return too_large_; }
    /// Meaningful only if not too_large().
    [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  private:
    std::int64_t value_ = 0;
    bool too_large_ = false;
};

}  // namespace reference

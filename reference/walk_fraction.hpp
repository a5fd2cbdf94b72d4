// Exact fractions: sharing above a bypassed level and link transfers leave parts of words.
// Does not round before it is asked to; remembers an overflow, as Count does.
// Used by simulate.cpp only.
#pragma once

#include "reference/checked.hpp"

#include <cstdint>
#include <optional>

namespace reference::walk {

/// In lowest terms, the denominator positive; numerator and denominator have 127 bits. Once over
/// that it stays so.
class Fraction {
  public:
    Fraction() = default;
    explicit Fraction(Count value);
    static Fraction of(std::int64_t value);  // may be negative

    friend Fraction operator+(const Fraction& a, const Fraction& b);
    friend Fraction operator-(const Fraction& a, const Fraction& b);
    friend Fraction operator*(const Fraction& a, const Fraction& b);
    /// Division by 0 is an overflow.
    friend Fraction operator/(const Fraction& a, const Fraction& b);

    /// None: not within 64 bits.
    [[nodiscard]] std::optional<std::int64_t> half_up() const;
    [[nodiscard]] std::optional<std::int64_t> floor() const;

  private:
    __extension__ using Wide = __int128;

    [[nodiscard]] static Fraction reduced(Wide numerator, Wide denominator, bool too_large);

    Wide numerator_ = 0;
    Wide denominator_ = 1;
    bool too_large_ = false;
};

}  // namespace reference::walk

// Exact fractions of words: sharing above a bypassed level and link transfers leave parts of words.
// Does not round before it is asked to; remembers an overflow, as Count does.
// Used by both engines and the explanation.
#pragma once

#include "reference/checked.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace reference {

/// In lowest terms, the denominator positive; numerator and denominator have 127 bits. Once over
/// that it stays so. Operations on whole numbers are quick.
class Fraction {
  public:
    Fraction() = default;
    explicit Fraction(Count value) : numerator_(value.value()), too_large_(value.too_large()) {}
    static Fraction of(std::int64_t value);  // also a negative one

    friend Fraction operator+(const Fraction& a, const Fraction& b);
    friend Fraction operator-(const Fraction& a, const Fraction& b);
    friend Fraction operator*(const Fraction& a, const Fraction& b);
    /// Division by 0 is an overflow.
    friend Fraction operator/(const Fraction& a, const Fraction& b);

    /// None: not within 64 bits.
    [[nodiscard]] std::optional<std::int64_t> half_up() const;
    [[nodiscard]] std::optional<std::int64_t> floor() const;

    [[nodiscard]] bool is_whole() const { return denominator_ == 1 && !too_large_; }
    /// "7", "9/2".
    [[nodiscard]] std::string text() const;

  private:
    __extension__ using Wide = __int128;

    [[nodiscard]] static Fraction reduced(Wide numerator, Wide denominator, bool too_large);

    Wide numerator_ = 0;
    Wide denominator_ = 1;
    bool too_large_ = false;
};

}  // namespace reference

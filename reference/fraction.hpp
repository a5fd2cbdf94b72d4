// Fractions of words, exactly: shares of what several children receive together.
// Does not know negative numbers; once too large it stays so, as a Count does.
// Used by evaluate.cpp.
#pragma once

#include "reference/checked.hpp"

#include <cstdint>
#include <optional>

namespace reference {

/// numerator / denominator in lowest terms.
class Fraction {
  public:
    constexpr Fraction() = default;
    explicit constexpr Fraction(Count whole)
        : numerator_(static_cast<Wide>(whole.value())), too_large_(whole.too_large()) {}
    Fraction(Count numerator, Count denominator) : Fraction(numerator) {
        *this = divided_by(denominator);
    }

    [[nodiscard]] Fraction times(Count factor) const {
        if (factor.too_large()) return too_large_one();
        Wide f = static_cast<Wide>(factor.value());
        const Wide common = gcd(f, denominator_);
        Fraction result;
        result.too_large_ =
            too_large_ || __builtin_mul_overflow(numerator_, f / common, &result.numerator_);
        result.denominator_ = denominator_ / common;
        return result;
    }
    /// The divisor is not 0.
    [[nodiscard]] Fraction divided_by(Count divisor) const {
        if (divisor.too_large()) return too_large_one();
        Wide d = static_cast<Wide>(divisor.value());
        const Wide common = gcd(numerator_, d);
        Fraction result;
        result.numerator_ = numerator_ / common;
        result.too_large_ =
            too_large_ || __builtin_mul_overflow(denominator_, d / common, &result.denominator_);
        return result;
    }
    [[nodiscard]] Fraction plus(const Fraction& other) const {
        Fraction result;
        Wide a = 0;
        Wide b = 0;
        const Wide common = gcd(denominator_, other.denominator_);
        result.too_large_ =
            too_large_ || other.too_large_ ||
            __builtin_mul_overflow(numerator_, other.denominator_ / common, &a) ||
            __builtin_mul_overflow(other.numerator_, denominator_ / common, &b) ||
            __builtin_add_overflow(a, b, &result.numerator_) ||
            __builtin_mul_overflow(denominator_, other.denominator_ / common, &result.denominator_);
        return result;
    }

    /// (this - subtrahend) to a whole number, cut or rounded half up. None: below 0 or beyond
    /// 2^63-1.
    [[nodiscard]] std::optional<std::int64_t> cut_minus(std::int64_t subtrahend) const {
        if (denominator_ == 1) return whole(numerator_, subtrahend);  // the usual case, without
        return whole(numerator_ / denominator_, subtrahend);          // a slow division
    }
    [[nodiscard]] std::optional<std::int64_t> rounded_minus(std::int64_t subtrahend) const {
        if (denominator_ == 1) return whole(numerator_, subtrahend);
        const Wide rest = numerator_ % denominator_;
        return whole(numerator_ / denominator_ + (rest >= denominator_ - rest ? 1 : 0), subtrahend);
    }

    /// In lowest terms. None: beyond 2^63-1.
    struct Parts {
        std::int64_t numerator, denominator;
    };
    [[nodiscard]] std::optional<Parts> parts() const {
        constexpr auto most = static_cast<Wide>(INT64_MAX);
        if (too_large_) return std::nullopt;
        const Wide common = gcd(numerator_, denominator_);
        if (numerator_ / common > most || denominator_ / common > most) return std::nullopt;
        return Parts{static_cast<std::int64_t>(numerator_ / common),
                     static_cast<std::int64_t>(denominator_ / common)};
    }

  private:
    using Wide = unsigned __int128;
    static constexpr Wide gcd(Wide a, Wide b) {
        if (a == 1 || b == 1) return 1;
        while (b != 0) {
            const Wide rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
    static Fraction too_large_one() {
        Fraction result;
        result.too_large_ = true;
        return result;
    }
    [[nodiscard]] std::optional<std::int64_t> whole(Wide value, std::int64_t subtrahend) const {
        const auto least = static_cast<Wide>(subtrahend);
        if (too_large_ || value < least || value - least > static_cast<Wide>(INT64_MAX))
            return std::nullopt;
        return static_cast<std::int64_t>(value - least);
    }
    Wide numerator_ = 0;
    Wide denominator_ = 1;
    bool too_large_ = false;
};

}  // namespace reference

// Arithmetic of exact fractions.
// Does not know what is counted.
// See fraction.hpp.
#include "reference/fraction.hpp"

#include <fmt/format.h>

#include <limits>

namespace reference {

namespace {

__extension__ using Wide = __int128;

Wide common_divisor(Wide a, Wide b) {
    if (a == 1 || b == 1) return 1;
    if (a < 0) a = -a;
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool product(Wide a, Wide b, Wide& result) {
    return __builtin_mul_overflow(a, b, &result);
}

}  // namespace

Fraction Fraction::of(std::int64_t value) {
    Fraction out;
    out.numerator_ = value;
    return out;
}

Fraction Fraction::reduced(Wide numerator, Wide denominator, bool too_large) {
    Fraction out;
    out.too_large_ = too_large || denominator <= 0;
    if (out.too_large_) return out;
    if (denominator == 1) {  // the usual case, without slow divisions
        out.numerator_ = numerator;
        return out;
    }
    const Wide divisor = common_divisor(numerator, denominator);
    out.numerator_ = numerator / divisor;
    out.denominator_ = denominator / divisor;
    return out;
}

Fraction operator+(const Fraction& a, const Fraction& b) {
    Wide left = 0;
    Wide right = 0;
    Wide sum = 0;
    Wide denominator = 0;
    const Wide divisor = common_divisor(a.denominator_, b.denominator_);
    const bool over = product(a.numerator_, b.denominator_ / divisor, left) ||
                      product(b.numerator_, a.denominator_ / divisor, right) ||
                      __builtin_add_overflow(left, right, &sum) ||
                      product(a.denominator_, b.denominator_ / divisor, denominator);
    return Fraction::reduced(sum, denominator, over || a.too_large_ || b.too_large_);
}

Fraction operator-(const Fraction& a, const Fraction& b) {
    Fraction minus = b;
    minus.numerator_ = -b.numerator_;
    return a + minus;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
    const Wide left = common_divisor(a.numerator_, b.denominator_);
    const Wide right = common_divisor(b.numerator_, a.denominator_);
    Wide numerator = 0;
    Wide denominator = 0;
    const bool over = product(a.numerator_ / left, b.numerator_ / right, numerator) ||
                      product(a.denominator_ / right, b.denominator_ / left, denominator);
    return Fraction::reduced(numerator, denominator, over || a.too_large_ || b.too_large_);
}

Fraction operator/(const Fraction& a, const Fraction& b) {
    Fraction inverse = b;
    inverse.numerator_ = b.numerator_ < 0 ? -b.denominator_ : b.denominator_;
    inverse.denominator_ = b.numerator_ < 0 ? -b.numerator_ : b.numerator_;
    if (inverse.denominator_ == 0) {
        inverse = Fraction();
        inverse.too_large_ = true;
    }
    return a * inverse;
}

std::optional<std::int64_t> Fraction::floor() const {
    Wide whole = denominator_ == 1 ? numerator_ : numerator_ / denominator_;
    if (denominator_ != 1 && numerator_ % denominator_ < 0) --whole;
    if (too_large_ || whole > std::numeric_limits<std::int64_t>::max() ||
        whole < std::numeric_limits<std::int64_t>::min())
        return std::nullopt;
    return static_cast<std::int64_t>(whole);
}

std::optional<std::int64_t> Fraction::half_up() const {
    if (denominator_ == 1) return floor();
    Fraction half;
    half.numerator_ = 1;
    half.denominator_ = 2;
    return (*this + half).floor();
}

std::string Fraction::text() const {
    constexpr Wide most = std::numeric_limits<std::int64_t>::max();
    if (too_large_ || numerator_ > most || numerator_ < -most || denominator_ > most)
        return "a fraction over 2^63-1";
    const auto numerator = static_cast<std::int64_t>(numerator_);
    if (denominator_ == 1) return fmt::format("{}", numerator);
    return fmt::format("{}/{}", numerator, static_cast<std::int64_t>(denominator_));
}

}  // namespace reference

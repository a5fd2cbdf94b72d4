// How far an answer may be from the expected number. Holds no expected number.
// Does not compare: checkers.cpp does.
// Part of a task's quantities and of Expected.
#pragma once

#include <cstdint>

namespace grader {

struct Tolerance {
    enum class Kind : std::uint8_t {
        exact,     // a whole number is due
        absolute,  // |actual - expected| <= absolute
        relative,  // |actual - expected| <= relative * |expected|; expected 0 accepts only 0
        either,    // one of the two above suffices
        sum        // |actual - expected| <= absolute + relative * |expected|
    };
    Kind kind = Kind::exact;
    double absolute = 0;
    double relative = 0;
    bool operator==(const Tolerance&) const = default;
};

}  // namespace grader

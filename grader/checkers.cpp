// One answer against the expected quantities of its case: keys, then values within tolerance.
// Does not read JSON (answer.cpp does) and does not decide about crashes or limits.
// See checkers.hpp.
#include "grader/checkers.hpp"

#include "grader/answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace grader {

namespace {

constexpr std::size_t kMostExtraKeys = 16;
constexpr std::size_t kMostNameBytes = 80;

bool within(const ExpectedQuantity& expected, long double actual) {
    const auto due = static_cast<long double>(expected.value);
    const long double distance = std::fabs(actual - due);
    const auto absolute = static_cast<long double>(expected.tolerance.absolute);
    const long double relative =
        static_cast<long double>(expected.tolerance.relative) * std::fabs(due);
    switch (expected.tolerance.kind) {
        case Tolerance::Kind::exact:
            return distance == 0;
        case Tolerance::Kind::absolute:
            return distance <= absolute;
        case Tolerance::Kind::relative:
            return distance <= relative;
        case Tolerance::Kind::either:
            return distance <= absolute || distance <= relative;
        case Tolerance::Kind::sum:
            return distance <= absolute + relative;
    }
    return false;
}

/// Reason::none where the number is right.
Reason compare(const ExpectedQuantity& expected, const AnswerNumber& actual) {
    const bool exact = expected.tolerance.kind == Tolerance::Kind::exact;
    switch (actual.kind) {
        case AnswerNumber::Kind::non_finite:
            return Reason::non_finite;
        case AnswerNumber::Kind::whole:
            if (exact) return actual.whole == expected.value ? Reason::none : Reason::value;
            return within(expected, static_cast<long double>(actual.whole)) ? Reason::none
                                                                            : Reason::value;
        case AnswerNumber::Kind::beyond:
            return !exact && within(expected, actual.value) ? Reason::none : Reason::value;
        case AnswerNumber::Kind::fraction:
            if (exact) return Reason::not_integer;
            return within(expected, actual.value) ? Reason::none : Reason::value;
    }
    return Reason::value;
}

struct Ratio {
    std::int64_t factor;
    const char* larger;
    const char* smaller;
};

/// A factor 2 is a count of both directions, 8 to 32 the bits or bytes of a word, 1024 a unit.
constexpr std::array kRatios{
    Ratio{2, "x2", "x1/2"},          Ratio{4, "x4", "x1/4"},    Ratio{8, "x8", "x1/8"},
    Ratio{16, "x16", "x1/16"},       Ratio{32, "x32", "x1/32"}, Ratio{1000, "x1000", "x1/1000"},
    Ratio{1024, "x1024", "x1/1024"},
};

bool is_product(std::int64_t value, std::int64_t of, std::int64_t factor) {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(of, factor, &product) && product == value;
}

std::string hint_for(const ExpectedQuantity& expected, const AnswerNumber& actual) {
    if (actual.kind != AnswerNumber::Kind::whole) return "";
    const std::int64_t due = expected.value;
    if (actual.whole == 0) return "zero";
    if (due == 0) return "should_be_zero";
    for (const Ratio& ratio : kRatios) {
        if (is_product(actual.whole, due, ratio.factor)) return ratio.larger;
        if (is_product(due, actual.whole, ratio.factor)) return ratio.smaller;
    }
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(actual.whole, due, &difference)) return "";
    if (expected.tile_words > 0 && difference == expected.tile_words) return "one_tile_more";
    if (expected.tile_words > 0 && difference == -expected.tile_words) return "one_tile_less";
    if (difference == 1 || difference == -1) return "off_by_one";
    return is_product(actual.whole, due, -1) ? "negated" : "";
}

Mismatch mismatch_of(const ExpectedQuantity& expected, const AnswerNumber& actual) {
    Mismatch mismatch{expected.name, expected.value, actual.text, std::nullopt,
                      hint_for(expected, actual)};
    if (expected.value != 0 && actual.kind != AnswerNumber::Kind::non_finite) {
        const auto due = static_cast<double>(expected.value);
        const double error = actual.kind == AnswerNumber::Kind::whole
                                 ? static_cast<double>((static_cast<long double>(actual.whole) -
                                                        static_cast<long double>(expected.value)) /
                                                       std::fabs(static_cast<long double>(due)))
                                 : (actual.value - due) / std::fabs(due);
        mismatch.error = error;
    }
    return mismatch;
}

Judgement judgement(Reason reason) {
    switch (reason) {
        case Reason::none:
            return {Verdict::accepted, reason};
        case Reason::value:
        case Reason::non_finite:
        case Reason::not_integer:
            return {Verdict::wrong_answer, reason};
        default:
            return {Verdict::presentation_error, reason};
    }
}

/// The reason that is told when several apply: the one furthest from a right answer.
int weight(Reason reason) {
    switch (reason) {
        case Reason::missing_key:
            return 5;
        case Reason::extra_key:
            return 4;
        case Reason::non_finite:
            return 3;
        case Reason::not_integer:
            return 2;
        case Reason::value:
            return 1;
        default:
            return 0;
    }
}

CheckResult check_numbers(const Expected& expected, const Answer& answer) {
    CheckResult result;
    Reason worst = Reason::none;
    auto note = [&](Reason reason) {
        if (weight(reason) > weight(worst)) worst = reason;
    };
    // Both lists are sorted by name and hold every name once.
    auto actual = answer.numbers.begin();
    std::size_t extra = 0;
    auto skip_extra = [&](const std::string* before) {
        for (; actual != answer.numbers.end() && (before == nullptr || actual->name < *before);
             ++actual) {
            note(Reason::extra_key);
            if (extra++ < kMostExtraKeys)
                result.mismatches.push_back({actual->name.substr(0, kMostNameBytes), 0,
                                             actual->text, std::nullopt, "extra"});
        }
    };
    for (const ExpectedQuantity& quantity : expected) {
        skip_extra(&quantity.name);
        if (actual == answer.numbers.end() || actual->name != quantity.name) {
            note(Reason::missing_key);
            result.mismatches.push_back(
                {quantity.name, quantity.value, "", std::nullopt, "missing"});
            continue;
        }
        const Reason reason = compare(quantity, *actual);
        note(reason);
        if (reason != Reason::none) result.mismatches.push_back(mismatch_of(quantity, *actual));
        ++actual;
    }
    skip_extra(nullptr);
    result.judgement = judgement(worst);
    return result;
}

}  // namespace

CheckResult check(const Expected& expected, std::string_view bytes) {
    const Answer answer = read_answer(bytes);
    CheckResult result;
    switch (answer.form) {
        case Answer::Form::numbers:
            // Nothing asked would be nothing wrong.
            if (expected.empty()) break;
            return check_numbers(expected, answer);
        case Answer::Form::exception:
            // The caller makes this RTE exception; by itself it is no answer.
            result.exception = answer.exception.empty() ? "exception" : answer.exception;
            result.judgement = judgement(Reason::no_answer);
            return result;
        case Answer::Form::none:
            result.judgement = judgement(Reason::no_answer);
            return result;
        case Answer::Form::unreadable:
            result.judgement = judgement(Reason::unreadable);
            return result;
        case Answer::Form::extra:
            result.judgement = judgement(Reason::extra_answer);
            result.flags |= Flag::tamper;
            return result;
    }
    result.judgement = {Verdict::judge_error, Reason::host};
    return result;
}

}  // namespace grader

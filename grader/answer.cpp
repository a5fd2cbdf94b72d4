// Splits off the first record, parses it strictly, takes its numbers without loss.
// Does not compare.
// See answer.hpp.
#include "grader/answer.hpp"

#include "grader/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace grader {

namespace {

constexpr std::size_t kMostAnswerBytes = std::size_t{4} << 20U;
constexpr std::size_t kMostAnswerValues = 100'000;
constexpr std::size_t kMostTextBytes = 80;
constexpr std::size_t kMostExceptionBytes = 4096;
constexpr std::int64_t kMostIntegralFloat = std::int64_t{1} << 53U;
constexpr std::string_view kSpace = " \t\r\n";

/// Offset behind the first object, found by its braces outside strings; none if it never ends.
std::optional<std::size_t> end_of_object(std::string_view bytes, std::size_t start) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t at = start; at < bytes.size(); ++at) {
        const char c = bytes[at];
        if (in_string) {
            if (c == '\\') ++at;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '{') ++depth;
        if (c == '}' && --depth == 0) return at + 1;
    }
    return std::nullopt;
}

/// The whole number up to 2^53 that a decimal text with point or exponent stands for, if it does.
std::optional<std::int64_t> integral_value(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa = text.substr(0, e);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::string digits(mantissa.substr(0, point));
    if (point < mantissa.size()) digits += mantissa.substr(point + 1);
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) return 0;
    const std::size_t last = digits.find_last_not_of('0');

    std::int64_t exponent = 0;
    if (e < text.size()) {
        std::string_view written = text.substr(e + 1);
        if (written.starts_with('+')) written.remove_prefix(1);
        const auto read =
            std::from_chars(written.data(), written.data() + written.size(), exponent);
        if (read.ec != std::errc()) return std::nullopt;
    }
    // Digits in front of the point, once the exponent has moved it; beyond 16 is beyond 2^53.
    constexpr std::int64_t kMostExponent = std::int64_t{1} << 40U;
    if (exponent > kMostExponent || exponent < -kMostExponent) return std::nullopt;
    const std::int64_t places = static_cast<std::int64_t>(point) + exponent;
    const std::int64_t whole = places - static_cast<std::int64_t>(first);
    if (whole > 16 || static_cast<std::int64_t>(last) >= places) return std::nullopt;
    std::int64_t value = 0;
    for (std::int64_t at = 0; at < whole; ++at) {
        const std::size_t digit = first + static_cast<std::size_t>(at);
        value = value * 10 + (digit < digits.size() ? digits[digit] - '0' : 0);
    }
    if (value > kMostIntegralFloat) return std::nullopt;
    return negative ? -value : value;
}

std::optional<AnswerNumber> number_of(const Json::Member& member) {
    AnswerNumber number{member.key, AnswerNumber::Kind::whole, 0, 0, {}};
    if (const std::int64_t* whole = member.value.integer()) {
        number.whole = *whole;
        number.value = static_cast<double>(*whole);
        number.text = std::to_string(*whole);
        return number;
    }
    const Json::Real* real = member.value.real();
    if (real == nullptr) return std::nullopt;
    number.value = real->value;
    number.text = real->text.substr(0, kMostTextBytes);
    if (!std::isfinite(real->value)) {
        number.kind = AnswerNumber::Kind::non_finite;
    } else if (real->text.find_first_of(".eE") == std::string::npos) {
        number.kind = AnswerNumber::Kind::beyond;
    } else if (const auto whole = integral_value(real->text)) {
        number.whole = *whole;
    } else {
        number.kind = AnswerNumber::Kind::fraction;
    }
    return number;
}

Answer unreadable() {
    return {Answer::Form::unreadable, {}, {}};
}

Answer answer_of(const Json& record) {
    const Json::Object* members = record.members();
    if (members == nullptr || members->size() != 1) return unreadable();
    const Json::Member& only = members->front();
    if (only.key == "exception") {
        const std::string* text = only.value.string();
        if (text == nullptr) return unreadable();
        return {Answer::Form::exception, {}, text->substr(0, kMostExceptionBytes)};
    }
    const Json::Object* values = only.value.members();
    if (only.key != "answer" || values == nullptr) return unreadable();
    Answer answer{Answer::Form::numbers, {}, {}};
    for (const Json::Member& member : *values) {
        auto number = number_of(member);
        if (!number) return unreadable();
        answer.numbers.push_back(std::move(*number));
    }
    std::sort(answer.numbers.begin(), answer.numbers.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return answer;
}

}  // namespace

Answer read_answer(std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(kSpace);
    if (start == std::string_view::npos) return {};
    if (bytes[start] != '{') return unreadable();
    const auto end = end_of_object(bytes, start);
    if (!end) return unreadable();
    const std::string_view after = bytes.substr(*end);
    if (!after.empty() && after != "\n") return {Answer::Form::extra, {}, {}};
    JsonOptions options;
    options.max_bytes = kMostAnswerBytes;
    options.max_values = kMostAnswerValues;
    options.non_finite = true;
    const auto record = parse_json(bytes.substr(0, *end), options);
    return record ? answer_of(*record) : unreadable();
}

}  // namespace grader

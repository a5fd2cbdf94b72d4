// A table of trivial answers, each tried on every hidden case.
// Does not know tasks.
// See floor.hpp.
#include "grader/floor.hpp"

#include "grader/checkers.hpp"
#include "grader/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace grader {

namespace {

constexpr std::size_t kMostEchoes = 256;

struct Hidden {
    const CaseInput* input;
    const Expected* expected;
    std::vector<double> numbers;  // of the input, in reading order
};

struct Material {
    std::vector<Hidden> hidden;
    std::vector<Hidden> visible;
};

void collect_numbers(const Json& value, std::vector<double>& numbers) {
    if (const auto number = value.number()) {
        if (numbers.size() < kMostEchoes) numbers.push_back(*number);
    } else if (const Json::Array* items = value.array_items()) {
        for (const Json& item : *items) collect_numbers(item, numbers);
    } else if (const Json::Object* members = value.members()) {
        for (const Json::Member& member : *members) collect_numbers(member.value, numbers);
    }
}

using ValueOf = std::function<Json(std::size_t position, const ExpectedQuantity& quantity)>;

/// A record with the right names, which anybody can find out, and these values.
std::string record(const Expected& expected, const ValueOf& value_of) {
    Json::Object values;
    for (std::size_t i = 0; i < expected.size(); ++i)
        values.push_back({expected[i].name, value_of(i, expected[i])});
    return dump(Json::object({{"answer", Json(std::move(values))}}));
}

std::string same_everywhere(const Expected& expected, const Json& value) {
    return record(expected, [&](std::size_t, const ExpectedQuantity&) { return value; });
}

/// The number another case has under this name, else in this place.
Json borrowed(const Expected& from, std::size_t position, const std::string& name) {
    for (const ExpectedQuantity& quantity : from)
        if (quantity.name == name) return quantity.value;
    return position < from.size() ? from[position].value : 0;
}

std::string borrowed_answer(const Expected& from, const Expected& expected) {
    return record(expected, [&](std::size_t position, const ExpectedQuantity& quantity) {
        return borrowed(from, position, quantity.name);
    });
}

std::string lookup(const Material& material, const Hidden& hidden, std::size_t) {
    for (const Hidden& visible : material.visible)
        if (visible.input->json == hidden.input->json)
            return borrowed_answer(*visible.expected, *hidden.expected);
    return same_everywhere(*hidden.expected, 0);
}

std::string mean(const Material& material, const Hidden& hidden, std::size_t) {
    return record(*hidden.expected, [&](std::size_t position, const ExpectedQuantity& quantity) {
        long double sum = 0;
        for (const Hidden& visible : material.visible)
            sum += static_cast<long double>(
                *borrowed(*visible.expected, position, quantity.name).integer());
        const auto count =
            static_cast<long double>(std::max<std::size_t>(1, material.visible.size()));
        return Json(static_cast<std::int64_t>(std::llround(sum / count)));
    });
}

std::string nan_everywhere(const Hidden& hidden) {
    std::string text = same_everywhere(*hidden.expected, "?");
    for (std::size_t at = text.find("\"?\""); at != std::string::npos; at = text.find("\"?\"", at))
        text.replace(at, 3, "NaN");
    return text;
}

struct Trivial {
    std::string_view name;
    std::size_t (*variants)(const Material&);
    std::string (*answer)(const Material&, const Hidden&, std::size_t variant);
};

std::size_t once(const Material&) {
    return 1;
}
std::size_t per_visible(const Material& material) {
    return material.visible.size();
}
std::size_t per_number(const Material& material) {
    std::size_t least = kMostEchoes;
    for (const Hidden& hidden : material.hidden) least = std::min(least, hidden.numbers.size());
    return least;
}

constexpr std::array kTrivial{
    Trivial{"nothing", once,
            [](const Material&, const Hidden&, std::size_t) { return std::string(); }},
    Trivial{
        "an empty answer", once,
        [](const Material&, const Hidden&, std::size_t) { return std::string("{\"answer\":{}}"); }},
    Trivial{"zeros", once,
            [](const Material&, const Hidden& h, std::size_t) {
                return same_everywhere(*h.expected, 0);
            }},
    Trivial{"ones", once,
            [](const Material&, const Hidden& h, std::size_t) {
                return same_everywhere(*h.expected, 1);
            }},
    Trivial{"NaN", once,
            [](const Material&, const Hidden& h, std::size_t) { return nan_everywhere(h); }},
    Trivial{"a number of the input", per_number,
            [](const Material&, const Hidden& h, std::size_t variant) {
                return same_everywhere(*h.expected, h.numbers[variant]);
            }},
    Trivial{"a lookup of the visible cases", once, lookup},
    Trivial{"the answer of a visible case", per_visible,
            [](const Material& m, const Hidden& h, std::size_t variant) {
                return borrowed_answer(*m.visible[variant].expected, *h.expected);
            }},
    Trivial{"the mean of the visible answers", once, mean},
    Trivial{"one constant answer", once,
            [](const Material& m, const Hidden& h, std::size_t) {
                return borrowed_answer(*m.hidden.front().expected, *h.expected);
            }},
};

bool passes(const Material& material, const Trivial& trivial, std::size_t variant) {
    return std::all_of(material.hidden.begin(), material.hidden.end(), [&](const Hidden& hidden) {
        const CheckResult result =
            check(*hidden.expected, trivial.answer(material, hidden, variant));
        return result.judgement.verdict == Verdict::accepted;
    });
}

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

}  // namespace

Result<void> check_floor(std::span<const CaseInput> inputs, std::span<const Expected> expected) {
    Material material;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (expected[i].empty()) return wrong(fmt::format("case {} expects nothing", i));
        Hidden entry{&inputs[i], &expected[i], {}};
        const auto parsed = parse_json(inputs[i].json);
        if (!parsed) return wrong(fmt::format("case {} is not JSON: {}", i, parsed.error().what));
        collect_numbers(*parsed, entry.numbers);
        (inputs[i].visible ? material.visible : material.hidden).push_back(std::move(entry));
    }
    if (material.hidden.empty()) return wrong("there are no hidden cases");
    for (const Trivial& trivial : kTrivial)
        for (std::size_t variant = 0; variant < trivial.variants(material); ++variant)
            if (passes(material, trivial, variant))
                return wrong(
                    fmt::format("the trivial answer '{}' passes every hidden case; more varied "
                                "cases or a smaller tolerance would tell answers apart",
                                trivial.name));
    return {};
}

}  // namespace grader

// A recursive descent over the arithmetic of attribute values.
// Does not follow a name that stands for itself: depth is bounded.
// See timeloop_number.hpp.
#include "reference/timeloop_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace reference {

namespace {

constexpr int kMostDepth = 32;
constexpr int kMostSteps = 10'000;
constexpr double kMostExact = 9007199254740992.0;  // 2^53

bool starts_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continues_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// NaN stands for a mistake; what is wrong is kept.
constexpr double kWrong = std::numeric_limits<double>::quiet_NaN();

struct Function {
    std::string_view name;
    std::size_t arguments;  // 0: one or more
    double (*apply)(const std::vector<double>&);
};

constexpr std::array<Function, 12> kFunctions{{
    {"ceil", 1, [](const std::vector<double>& a) { return std::ceil(a[0]); }},
    {"floor", 1, [](const std::vector<double>& a) { return std::floor(a[0]); }},
    {"round", 1, [](const std::vector<double>& a) { return std::nearbyint(a[0]); }},
    {"int", 1, [](const std::vector<double>& a) { return std::trunc(a[0]); }},
    {"float", 1, [](const std::vector<double>& a) { return a[0]; }},
    {"abs", 1, [](const std::vector<double>& a) { return std::fabs(a[0]); }},
    {"sqrt", 1, [](const std::vector<double>& a) { return std::sqrt(a[0]); }},
    {"log2", 1, [](const std::vector<double>& a) { return std::log2(a[0]); }},
    {"log10", 1, [](const std::vector<double>& a) { return std::log10(a[0]); }},
    {"pow", 2, [](const std::vector<double>& a) { return std::pow(a[0], a[1]); }},
    {"max", 0, [](const std::vector<double>& a) { return *std::max_element(a.begin(), a.end()); }},
    {"min", 0, [](const std::vector<double>& a) { return *std::min_element(a.begin(), a.end()); }},
}};

class Expression {
  public:
    explicit Expression(const Names& names) : names_(names) {}

    double value(std::string_view text) {
        const std::string_view outer = std::exchange(rest_, text);
        double out = ++depth_ > kMostDepth ? wrong("names that stand for each other") : sum();
        skip_spaces();
        if (!rest_.empty() && why_.empty()) out = wrong(fmt::format("{} after it", quoted(rest_)));
        --depth_;
        rest_ = outer;
        return out;
    }

    [[nodiscard]] const std::string& why() const { return why_; }

  private:
    double wrong(std::string what) {
        if (why_.empty()) why_ = std::move(what);
        rest_ = {};
        return kWrong;
    }

    void skip_spaces() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
            rest_.remove_prefix(1);
    }

    bool take(std::string_view sign) {
        skip_spaces();
        if (rest_.substr(0, sign.size()) != sign) return false;
        rest_.remove_prefix(sign.size());
        return true;
    }

    double sum() {
        if (++depth_ > kMostDepth) return wrong("too deep");
        double left = product();
        for (;;) {
            if (++steps_ > kMostSteps) return wrong("too long");
            if (take("+"))
                left += product();
            else if (take("-"))
                left -= product();
            else
                break;
        }
        --depth_;
        return left;
    }

    double product() {
        double left = signed_power();
        for (;;) {
            if (++steps_ > kMostSteps) return wrong("too long");
            if (take("//"))
                left = std::floor(left / signed_power());
            else if (take("/"))
                left /= signed_power();
            else if (rest_.substr(0, 2) != "**" && take("*"))
                left *= signed_power();
            else if (take("%"))
                left = modulo(left, signed_power());
            else
                return left;
        }
    }

    static double modulo(double left, double right) {
        return left - right * std::floor(left / right);
    }

    double signed_power() {
        if (++depth_ > kMostDepth) return wrong("too deep");
        double out = 0;
        if (take("-"))
            out = -signed_power();
        else if (take("+"))
            out = signed_power();
        else {
            out = atom();
            if (take("**")) out = std::pow(out, signed_power());
        }
        --depth_;
        return out;
    }

    double atom() {
        skip_spaces();
        if (take("(")) {
            const double inner = sum();
            return take(")") ? inner : wrong("a ')' is missing");
        }
        if (rest_.empty()) return wrong("it ends too early");
        if (starts_name(rest_.front())) return name();
        double out = 0;
        const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
        if (code != std::errc()) return wrong(fmt::format("{} is no number", quoted(rest_)));
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return out;
    }

    double name() {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), continues_name);
        const std::string_view word =
            rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(word.size());
        if (take("(")) return call(word);
        for (const YamlNode* map : names_) {
            const YamlNode* found = map == nullptr ? nullptr : map->find(word);
            // A value that names its own key means the key further out: `width: width`.
            if (found == nullptr || found->kind != YamlNode::Kind::text || found->text == word)
                continue;
            if (++steps_ > kMostSteps) return wrong("too long");
            return value(found->text);
        }
        return wrong(fmt::format("there is no {}", quoted(word)));
    }

    double call(std::string_view word) {
        std::vector<double> arguments;
        do arguments.push_back(sum());
        while (take(",") && ++steps_ < kMostSteps);
        if (!take(")")) return wrong("a ')' is missing");
        const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                        [word](const Function& f) { return f.name == word; });
        if (found == kFunctions.end())
            return wrong(fmt::format("there is no function {}", quoted(word)));
        if (found->arguments != 0 && found->arguments != arguments.size())
            return wrong(fmt::format("{} takes {} values", word, found->arguments));
        return found->apply(arguments);
    }

    const Names& names_;
    std::string_view rest_;
    std::string why_;
    int depth_ = 0;
    int steps_ = 0;
};

std::optional<std::int64_t> literal(std::string_view text) {
    std::int64_t out = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return out;
}

bool is_template(std::string_view text) {
    return text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos;
}

}  // namespace

std::optional<double> number(const Place& place, const Names& names) {
    if (!place.is_text()) {
        place.wrong("a number");
        return std::nullopt;
    }
    const std::string_view text = place.raw();
    if (text == ".inf" || text == "inf") return std::numeric_limits<double>::infinity();
    if (is_template(text)) {
        place.mistake(fmt::format("{} is a template; needs its value", quoted(text)));
        return std::nullopt;
    }
    Expression expression(names);
    const double out = expression.value(text);
    if (expression.why().empty() && std::isfinite(out)) return out;
    place.mistake(fmt::format("{} is not right here; needs a number{}{}", quoted(text),
                              expression.why().empty() ? "" : ": ", expression.why()));
    return std::nullopt;
}

std::optional<std::int64_t> whole_number(const Place& place, const Names& names,
                                         std::int64_t least) {
    std::optional<std::int64_t> out = literal(place.raw());
    bool too_large = false;
    if (!out && place.is_text()) {
        const std::optional<double> value = number(place, names);
        if (!value) return std::nullopt;
        too_large = *value > kMostExact;
        if (std::fabs(*value) <= kMostExact && std::floor(*value) == *value)
            out = static_cast<std::int64_t>(*value);
    }
    if (out && *out >= least) return out;
    place.wrong(too_large ? "a whole number of at most 2^63-1 in digits, or 2^53 as an expression"
                          : fmt::format("a whole number of at least {}", least));
    return std::nullopt;
}

}  // namespace reference

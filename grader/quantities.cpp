// The table of metrics, and the expansion of patterns.
// Does not know any task.
// See quantities.hpp.
#include "grader/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace grader {

namespace {

using reference::Case;
using reference::LevelTraffic;
using reference::Movement;
using reference::Traffic;

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

/// Adds and multiplies whole numbers; remembers an overflow.
struct Total {
    std::int64_t value = 0;
    bool overflow = false;

    void add(std::int64_t words, std::int64_t times = 1) {
        std::int64_t product = 0;
        overflow |= __builtin_mul_overflow(words, times, &product);
        overflow |= __builtin_add_overflow(value, product, &value);
    }
};

/// What a metric is computed from: one level of one case, and one tensor or all.
struct Subject {
    const Case& made;
    const Traffic& traffic;
    std::size_t level;
    std::optional<std::size_t> tensor;

    [[nodiscard]] const LevelTraffic& at() const { return traffic.levels[level]; }
};

Total sum(const Subject& subject, std::int64_t Movement::*field, std::int64_t times) {
    Total total;
    const auto& movements = subject.at().movements;
    for (std::size_t i = 0; i < movements.size(); ++i)
        if (movements[i] && (!subject.tensor || *subject.tensor == i))
            total.add((*movements[i]).*field, times);
    return total;
}

Total reads(const Subject& s) {
    return sum(s, &Movement::reads, s.at().instances);
}
Total updates(const Subject& s) {
    return sum(s, &Movement::updates, s.at().instances);
}
Total fills(const Subject& s) {
    return sum(s, &Movement::fills, s.at().instances);
}
Total tiles(const Subject& s) {
    return sum(s, &Movement::tile_words, 1);
}
Total used(const Subject& s) {
    return {s.at().instances, false};
}
Total cycles(const Subject& s) {
    return {s.at().cycles, false};
}

Total words(const Subject& s) {
    if (s.level > 0) return tiles(s);
    Total total = reads(s);
    const Total written = updates(s);
    total.overflow |= written.overflow;
    total.add(written.value);
    return total;
}

Total fits(const Subject& s) {
    Total held = tiles(s);
    const auto& capacity = s.made.architecture.levels[s.level].capacity_words;
    held.value = !capacity || held.value <= *capacity ? 1 : 0;
    return held;
}

struct Metric {
    std::string_view name;
    bool per_tensor;  // may be asked of one tensor
    Total (*value)(const Subject&);
};

constexpr std::array kMetrics{
    Metric{"reads", true, reads},  Metric{"updates", true, updates}, Metric{"fills", true, fills},
    Metric{"words", false, words}, Metric{"fits", false, fits},      Metric{"used", false, used},
};

/// A pattern taken apart. No level: the whole run.
struct Parts {
    std::string_view level;
    const Metric* metric = nullptr;  // null: cycles
    std::string_view tensor;
};

bool is_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_';
    });
}

std::optional<Parts> take_apart(std::string_view pattern) {
    if (pattern == "cycles") return Parts{};
    const std::size_t dot = pattern.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view first = pattern.substr(0, dot);
    std::string_view rest = pattern.substr(dot + 1);
    if (first == "cycles")
        return is_word(rest) ? std::optional(Parts{rest, nullptr, {}}) : std::nullopt;
    Parts parts{first, nullptr, {}};
    if (const std::size_t second = rest.find('.'); second != std::string_view::npos) {
        parts.tensor = rest.substr(second + 1);
        rest = rest.substr(0, second);
        const bool known =
            parts.tensor == "{input}" || parts.tensor == "{output}" || is_word(parts.tensor);
        if (!known) return std::nullopt;
    }
    const auto metric = std::find_if(kMetrics.begin(), kMetrics.end(),
                                     [&](const Metric& m) { return m.name == rest; });
    if (!is_word(first) || metric == kMetrics.end()) return std::nullopt;
    if (!parts.tensor.empty() && !metric->per_tensor) return std::nullopt;
    parts.metric = &*metric;
    return parts;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::optional<std::size_t> level_named(const Traffic& traffic, std::string_view name) {
    for (std::size_t i = 0; i < traffic.levels.size(); ++i)
        if (lower(traffic.levels[i].name) == name) return i;
    return std::nullopt;
}

std::vector<std::size_t> tensors_named(const Case& made, std::string_view name) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < made.workload.data_spaces.size(); ++i) {
        const auto& space = made.workload.data_spaces[i];
        const bool fits = name == "{input}"    ? !space.output
                          : name == "{output}" ? space.output
                                               : space.name == name;
        if (fits) found.push_back(i);
    }
    return found;
}

/// Words of the tile that moves between this level and the next inner one that keeps the tensor.
std::int64_t moving_tile(const Traffic& traffic, std::size_t level, std::size_t tensor) {
    for (std::size_t inner = level + 1; inner < traffic.levels.size(); ++inner)
        if (const auto& movement = traffic.levels[inner].movements[tensor])
            return movement->tile_words;
    return 0;
}

Result<void> expand(const Case& made, const Traffic& traffic, const Quantity& quantity,
                    Expected& out) {
    const auto parts = take_apart(quantity.pattern);
    if (!parts) return wrong(fmt::format("quantity '{}' is not known", quantity.pattern));
    if (parts->level.empty()) {
        out.push_back({quantity.pattern, traffic.cycles, quantity.tolerance, 0});
        return {};
    }
    const auto level = level_named(traffic, parts->level);
    if (!level)
        return wrong(fmt::format("quantity '{}': the case has no level '{}'", quantity.pattern,
                                 parts->level));
    auto add = [&](std::string name, std::optional<std::size_t> tensor) -> Result<void> {
        const Subject subject{made, traffic, *level, tensor};
        const Total total = parts->metric ? parts->metric->value(subject) : cycles(subject);
        if (total.overflow) return wrong(fmt::format("quantity '{}' exceeds 2^63-1", name));
        const std::int64_t tile = tensor ? moving_tile(traffic, *level, *tensor) : 0;
        out.push_back({std::move(name), total.value, quantity.tolerance, tile});
        return {};
    };
    if (parts->tensor.empty()) return add(quantity.pattern, std::nullopt);
    const auto tensors = tensors_named(made, parts->tensor);
    if (tensors.empty())
        return wrong(fmt::format("quantity '{}': the case has no tensor '{}'", quantity.pattern,
                                 parts->tensor));
    const std::string stem =
        quantity.pattern.substr(0, quantity.pattern.size() - parts->tensor.size());
    for (const std::size_t tensor : tensors) {
        const auto done = add(stem + made.workload.data_spaces[tensor].name, tensor);
        if (!done) return done;
    }
    return {};
}

}  // namespace

Result<void> check_pattern(std::string_view pattern) {
    if (take_apart(pattern)) return {};
    return wrong(
        fmt::format("'{}' is not a quantity; known are LEVEL.reads, LEVEL.updates, LEVEL.fills "
                    "(also .{{input}}, .{{output}} or a tensor), LEVEL.words, LEVEL.fits, "
                    "LEVEL.used, cycles, cycles.LEVEL",
                    pattern));
}

Result<Expected> quantities_of(const Case& made, const Traffic& traffic,
                               std::span<const Quantity> quantities) {
    Expected expected;
    for (const Quantity& quantity : quantities) {
        auto done = expand(made, traffic, quantity, expected);
        if (!done) return tl::unexpected(std::move(done.error()));
    }
    std::sort(expected.begin(), expected.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    const auto twice =
        std::adjacent_find(expected.begin(), expected.end(),
                           [](const auto& a, const auto& b) { return a.name == b.name; });
    if (twice != expected.end())
        return wrong(fmt::format("quantity '{}' is asked twice", twice->name));
    return expected;
}

std::string names_of(std::span<const Quantity> quantities) {
    std::string text;
    for (const Quantity& quantity : quantities)
        text += (text.empty() ? "" : ", ") + quantity.pattern;
    return text;
}

}  // namespace grader

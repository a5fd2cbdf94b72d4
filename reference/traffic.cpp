// The differences of two results, for people.
// Does not judge: equality is operator==.
// See traffic.hpp.
#include "reference/traffic.hpp"

#include <fmt/format.h>

#include <cassert>

namespace reference {

namespace {

void compare(std::string& text, std::string_view what, std::int64_t actual, std::int64_t expected) {
    if (actual != expected) text += fmt::format("{}: {}, not {}\n", what, actual, expected);
}

void compare_movements(std::string& text, const std::string& what,
                       const std::optional<Movement>& actual,
                       const std::optional<Movement>& expected) {
    if (actual.has_value() != expected.has_value())
        text += fmt::format("{}: {}\n", what, actual ? "kept, not bypassed" : "bypassed, not kept");
    if (!actual || !expected) return;
    compare(text, what + ": tile words", actual->tile_words, expected->tile_words);
    compare(text, what + ": reads", actual->reads, expected->reads);
    compare(text, what + ": fills", actual->fills, expected->fills);
    compare(text, what + ": updates", actual->updates, expected->updates);
    compare(text, what + ": partition words", actual->partition_words, expected->partition_words);
    compare(text, what + ": total reads", actual->total.reads, expected->total.reads);
    compare(text, what + ": total fills", actual->total.fills, expected->total.fills);
    compare(text, what + ": total updates", actual->total.updates, expected->total.updates);
}

}  // namespace

std::string difference(const Traffic& actual, const Traffic& expected,
                       const std::vector<std::string>& data_spaces) {
    std::string text;
    compare(text, "computes", actual.computes, expected.computes);
    compare(text, "cycles", actual.cycles, expected.cycles);
    if (actual.levels.size() != expected.levels.size())
        return text +
               fmt::format("{} levels, not {}\n", actual.levels.size(), expected.levels.size());
    for (std::size_t i = 0; i < actual.levels.size(); ++i) {
        const LevelTraffic& a = actual.levels[i];
        const LevelTraffic& b = expected.levels[i];
        if (a.name != b.name) text += fmt::format("level {}: '{}', not '{}'\n", i, a.name, b.name);
        compare(text, a.name + ": instances", a.instances, b.instances);
        compare(text, a.name + ": cycles", a.cycles, b.cycles);
        assert(a.movements.size() == data_spaces.size() &&
               b.movements.size() == data_spaces.size());
        for (std::size_t d = 0; d < data_spaces.size(); ++d)
            compare_movements(text, a.name + ": " + data_spaces[d], a.movements[d], b.movements[d]);
    }
    return text;
}

}  // namespace reference

// The numbers of a result that the engines leave to their callers.
// Does not lay out anything: model_table.cpp and model_json.cpp do.
// See model_result.hpp.
#include "tools/model_result.hpp"

#include "reference/checked.hpp"
#include "reference/evaluate.hpp"
#include "reference/simulate.hpp"

#include <fmt/format.h>

#include <string_view>

namespace tools {

namespace {

using reference::Count;

/// Everything that is added or multiplied below stays within 64 bits.
bool sums_fit(const reference::Traffic& traffic) {
    for (const reference::LevelTraffic& level : traffic.levels) {
        Count tiles(0);
        Count words(0);
        for (const auto& movement : level.movements) {
            if (!movement) continue;
            tiles += Count(movement->tile_words);
            words += Count(movement->total.reads) + Count(movement->total.updates);
        }
        if (tiles.too_large() || words.too_large()) return false;
    }
    return true;
}

}  // namespace

reference::Result<reference::Traffic> count(const reference::Case& input,
                                            const reference::Semantics& semantics) {
    const auto& [workload, architecture, mapping] = input;
    auto traffic = reference::has_remainders(mapping)
                       ? reference::simulate(workload, architecture, mapping, semantics)
                       : reference::evaluate(workload, architecture, mapping, semantics);
    if (traffic && !sums_fit(*traffic))
        return tl::unexpected(reference::Error{reference::Error::Code::overflow,
                                               "the words of all instances exceed 2^63-1"});
    return traffic;
}

std::string dialect_text(reference::Dialect dialect) {
    for (const std::string_view name : reference::semantics_names())
        if (reference::semantics_named(name)->dialect == dialect) return std::string(name);
    return {};
}

std::string semantics_text(const reference::Semantics& semantics) {
    std::string text = dialect_text(semantics.dialect);
    const auto named = reference::semantics_named(text).value_or(reference::kExact);
    if (named.links != semantics.links)
        text += semantics.links ? ", with links" : ", without links";
    if (named.extrapolation != semantics.extrapolation)
        text += semantics.extrapolation ? ", with extrapolation" : ", without extrapolation";
    return text;
}

std::int64_t off_chip_words(const reference::Traffic& traffic) {
    std::int64_t words = 0;
    for (const auto& movement : traffic.levels.front().movements)
        if (movement) words += movement->total.reads + movement->total.updates;
    return words;
}

std::int64_t buffer_words(const reference::LevelTraffic& level) {
    std::int64_t words = 0;
    for (const auto& movement : level.movements)
        if (movement) words += movement->tile_words;
    return words;
}

std::int64_t reductions(const reference::DataSpace& data_space, std::int64_t reads) {
    return data_space.output ? reads : 0;
}

std::string utilization_text(double utilization) {
    return fmt::format("{:.2f}%", 100 * utilization);
}

}  // namespace tools

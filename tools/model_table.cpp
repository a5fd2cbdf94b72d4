// Lays the table out: columns as wide as their contents, numbers to the right.
// Does not count. Names come from files: no control bytes of theirs reach a terminal.
// See model_result.hpp.
#include "reference/printable.hpp"
#include "tools/model_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace tools {

namespace {

constexpr std::string_view kBold = "\x1b[1m", kPlain = "\x1b[0m";
constexpr std::size_t kMostNameBytes = 60;

using Row = std::vector<std::string>;

std::string clean(std::string_view name) {
    return reference::printable(name.substr(0, kMostNameBytes)) +
           (name.size() > kMostNameBytes ? "..." : "");
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not the rest of a UTF-8 one
    }));
}

/// The first row is the head; the first `names` columns stand to the left.
std::string lay_out(const std::vector<Row>& rows, std::size_t names, bool colour) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line;
        for (std::size_t i = 0; i < rows[r].size(); ++i) {
            const std::string padding(widths[i] - width(rows[r][i]), ' ');
            line +=
                (i == 0 ? "" : "  ") + (i < names ? rows[r][i] + padding : padding + rows[r][i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += r == 0 && colour ? fmt::format("{}{}{}\n", kBold, line, kPlain) : line + '\n';
    }
    return text;
}

template <class T>
std::string plain(T value) {
    return fmt::format("{}", value);
}

std::string picojoules(double value) {
    return fmt::format("{:.2f}", value);
}

void add_words(Row& row, const reference::DataSpace& space, const reference::Words& words) {
    for (const std::int64_t each :
         {words.reads, words.fills, words.updates, reductions(space, words.reads)})
        row.push_back(plain(each));
}

/// One row per level and data space that is kept there.
std::string words_lines(const ModelResult& result, bool colour) {
    std::vector<Row> rows{{"level", "tensor", "instances", "tile", "partition", "reads", "fills",
                           "updates", "reductions", "all: reads", "fills", "updates",
                           "reductions"}};
    if (result.energy) rows[0].emplace_back("pJ");
    const auto& spaces = result.input.workload.data_spaces;
    for (std::size_t i = 0; i < result.traffic.levels.size(); ++i) {
        const reference::LevelTraffic& level = result.traffic.levels[i];
        bool first = true;
        for (std::size_t d = 0; d < spaces.size(); ++d) {
            if (!level.movements[d]) continue;
            const reference::Movement& movement = *level.movements[d];
            Row row{first ? clean(level.name) : "", clean(spaces[d].name), plain(level.instances),
                    plain(movement.tile_words), plain(movement.partition_words)};
            add_words(row, spaces[d], {movement.reads, movement.fills, movement.updates});
            add_words(row, spaces[d], movement.total);
            if (result.energy) row.push_back(picojoules(result.energy->accesses_pj[i][d]));
            rows.push_back(std::move(row));
            first = false;
        }
        if (first) rows.push_back({clean(level.name), "(none)"});
    }
    return lay_out(rows, 2, colour);
}

std::string level_lines(const ModelResult& result, bool colour) {
    std::vector<Row> rows{{"level", "buffer words", "capacity", "cycles", "throttling"}};
    for (std::size_t i = 0; i < result.traffic.levels.size(); ++i) {
        const reference::LevelTraffic& level = result.traffic.levels[i];
        const reference::StorageLevel& storage = result.input.architecture.levels[i];
        std::string words = plain(buffer_words(level));
        if (storage.multiple_buffering > 1)
            words = fmt::format("{} x {}", storage.multiple_buffering, words);
        rows.push_back({clean(level.name), words,
                        storage.capacity_words ? plain(*storage.capacity_words) : "unlimited",
                        plain(level.cycles), fmt::format("{:.2f}", level.throttling)});
    }
    return lay_out(rows, 1, colour);
}

}  // namespace

std::string model_table(const ModelResult& result, bool colour) {
    const reference::Traffic& traffic = result.traffic;
    std::string text = fmt::format(
        "{}: counted as {}; words per instance, then of all instances\n\n{}\n{}\n",
        result.input.workload.name.empty() ? "problem" : clean(result.input.workload.name),
        semantics_text(result.semantics), words_lines(result, colour), level_lines(result, colour));
    fmt::format_to(std::back_inserter(text), "computes {}, cycles {}, utilization {}\n",
                   traffic.computes, traffic.cycles, utilization_text(traffic.utilization));
    fmt::format_to(std::back_inserter(text), "off-chip words {}\n", off_chip_words(traffic));
    if (result.energy)
        fmt::format_to(std::back_inserter(text), "energy {} pJ, of it computing {} pJ\n",
                       picojoules(result.energy->total_pj), picojoules(result.energy->compute_pj));
    return text;
}

}  // namespace tools

// The nest, the tiles and the cycles in words; explain_moves.cpp has what passes between levels.
// Does not print.
// See explain.hpp.
#include "reference/explain.hpp"

#include "reference/checked.hpp"
#include "reference/explain_moves.hpp"
#include "reference/printable.hpp"
#include "reference/tiles.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace reference {

namespace {

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string loop_text(const Workload& workload, const Loop& loop) {
    std::string text = fmt::format("for {} in 0..{}",
                                   workload.dimensions[index(loop.dimension)].name, loop.bound - 1);
    if (loop.last() != loop.bound) add(text, ", in the last round 0..{}", loop.last() - 1);
    return text;
}

/// Loops of bound 1 have no influence and are left out.
std::string nest_text(const Case& input) {
    const auto& [workload, architecture, mapping] = input;
    std::string out = "The loop nest, outermost first\n";
    std::string indent = "  ";
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        const MappingLevel& here = mapping.levels[level];
        std::string kept;
        for (std::size_t d = 0; d < here.keep.size(); ++d)
            if (here.keep[d]) kept += ' ' + workload.data_spaces[d].name;
        add(out, "{}{} keeps{}\n", indent, architecture.levels[level].name,
            kept.empty() ? " nothing" : kept);
        for (const Loop& loop : here.temporal) {
            if (loop.bound == 1) continue;
            indent += "  ";
            add(out, "{}{}\n", indent, loop_text(workload, loop));
        }
        for (std::size_t i = 0; i < here.spatial.size(); ++i) {
            if (here.spatial[i].bound == 1) continue;
            indent += "  ";
            add(out, "{}parallel-{} ({})\n", indent, loop_text(workload, here.spatial[i]),
                i < here.spatial_y ? "Y" : "X");
        }
        indent += "  ";
    }
    return out + indent + "multiply and add\n\n";
}

/// "P+R: 1 + (2-1) + (3-1) = 4"
std::string extent_text(const Workload& workload, const Rank& rank,
                        const std::vector<std::int64_t>& bounds) {
    std::string out = rank_text(workload, rank) + ": 1";
    for (const Term& term : rank)
        add(out, " + {}({}-1)", term.coefficient == 1 ? "" : fmt::format("{} x ", term.coefficient),
            bounds[index(term.dimension)]);
    return out + fmt::format(" = {}", extent(rank, bounds).value());
}

std::string tiles_text(const Case& input, const Traffic& traffic) {
    const auto& [workload, architecture, mapping] = input;
    std::string out =
        "Tiles: what one instance of a level holds. Along a rank it is 1 + the sum of "
        "coefficient x (bound - 1)\nlong, where bound is the product of the loops of the level and "
        "of all levels inside it.\n";
    for (std::size_t level = 0; level < traffic.levels.size(); ++level) {
        const auto bounds = inner_bounds(workload, mapping, level);
        for (std::size_t d = 0; d < workload.data_spaces.size(); ++d) {
            const auto& movement = traffic.levels[level].movements[d];
            if (!movement) continue;
            const DataSpace& space = workload.data_spaces[d];
            std::string extents;
            std::string product;
            for (const Rank& rank : space.ranks) {
                add(extents, "{}{}", extents.empty() ? "" : "; ",
                    extent_text(workload, rank, bounds));
                add(product, "{}{}", product.empty() ? "" : " x ", extent(rank, bounds).value());
            }
            add(out, "  {} at {}: {}\n", space.name, traffic.levels[level].name,
                extents.empty() ? "a single word" : extents);
            add(out, "  tile of {} at {} = {} = {}\n", space.name, traffic.levels[level].name,
                product.empty() ? "1" : product, movement->tile_words);
        }
    }
    return out + '\n';
}

/// The output's first touches need no read, so the share of an instance matters.
std::string partitions_text(const Case& input, const Traffic& traffic) {
    std::string out =
        "Partitions: of how many words of the output one instance makes the first touches: of its "
        "parent's\nthe part that its tile is of what all children of the parent need in one "
        "step.\n";
    for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d) {
        if (!input.workload.data_spaces[d].output) continue;
        for (const LevelTraffic& level : traffic.levels)
            if (level.movements[d])
                add(out, "  partition of {} at {} = {}\n", input.workload.data_spaces[d].name,
                    level.name, level.movements[d]->partition_words);
    }
    return out + '\n';
}

std::string rule_text(const Semantics& semantics) {
    std::string out = "What moves: ";
    switch (semantics.dialect) {
        case Dialect::exact:
            out += "whatever a tile has in common with the one just before it stays.\n";
            break;
        case Dialect::timeloop:
            out +=
                "what a tile has in common with the one just before it stays while it moves by "
                "the same step\nas before; after another step all of it comes again. Standing "
                "still changes nothing.\n";
            break;
        case Dialect::timeloop_2024:
            out +=
                "what a tile has in common with the one just before it stays while it moves by "
                "the same step\nas before; after another step all of it comes again. Standing "
                "still is a step.\n";
            break;
    }
    if (semantics.extrapolation)
        out +=
            "Of each loop the first two iterations are walked; the second counts for all that "
            "follow, and where\na loop falls back it falls back from its second iteration.\n";
    if (semantics.links)
        out +=
            "A child takes its words from a neighbour that had them one step before, where that "
            "spares the parent.\n";
    return out + '\n';
}

/// "  reads 216 at 2 a cycle take 108 cycles"
void add_demand(std::string& out, std::string_view what, Count words,
                const std::optional<double>& bandwidth) {
    if (bandwidth)
        add(out, "    {} {} at {} a cycle take {} cycles\n", what, words.value(), *bandwidth,
            static_cast<double>(words.value()) / *bandwidth);
}

std::string cycles_text(const Case& input, const Traffic& traffic) {
    std::int64_t steps = 1;
    for (const MappingLevel& level : input.mapping.levels)
        for (const Loop& loop : level.temporal) steps *= loop.bound;
    std::string out =
        fmt::format("Cycles: the temporal loops make {} steps of a cycle each.\n", steps);
    for (std::size_t i = 0; i < traffic.levels.size(); ++i) {
        const StorageLevel& storage = input.architecture.levels[i];
        Count read;  // may be too large where no bandwidth asks for it
        Count written;
        for (const auto& movement : traffic.levels[i].movements) {
            if (!movement) continue;
            read += Count(movement->reads);
            written += Count(movement->fills) + Count(movement->updates);
        }
        add_demand(out, "reads", read, storage.read_bandwidth);
        add_demand(out, "fills and updates", written, storage.write_bandwidth);
        add_demand(out, "all", read + written, storage.shared_bandwidth);
        add(out, "  cycles of {} = {}\n", storage.name, traffic.levels[i].cycles);
    }
    return out;
}

/// Names come from files: what is explained of them stays on its line.
template <class T>
void clean_names(std::vector<T>& named) {
    for (T& each : named) each.name = printable(each.name);
}

}  // namespace

Result<std::string> explain(Case input, const Semantics& semantics, Traffic traffic) {
    clean_names(input.workload.dimensions);
    clean_names(input.workload.data_spaces);
    clean_names(input.architecture.levels);
    clean_names(traffic.levels);
    std::string out = nest_text(input) + tiles_text(input, traffic);
    if (has_remainders(input.mapping))
        return out +
               "The loops have remainders: the words were counted by walking, and no formula\n"
               "explains them.\n";
    out += partitions_text(input, traffic) + rule_text(semantics);
    const Nest nest(input.mapping);
    const ExplainInputs in{input, semantics, traffic, nest};
    for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d) {
        const auto moves = explain_moves(in, d);
        if (!moves)
            return tl::unexpected(
                Error{Error::Code::overflow, "too many spatial instances to compare"});
        out += *moves;
    }
    return out + cycles_text(input, traffic);
}

}  // namespace reference

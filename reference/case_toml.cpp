// Text only: toml++ reads, but writes in another order and layout than people want to read.
// Does not check the case.
// See case_toml.hpp.
#include "reference/case_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace reference {

namespace {

/// A basic string: quotes, backslashes and control characters are escaped.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\u{:04X}", byte);
        else
            out += c;
    }
    return out + '"';
}

/// Without quotes where the name needs none.
std::string key(const std::string& name) {
    const auto bare = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), bare) ? name : quoted(name);
}

/// "[a, b]" of a list; `text` gives an item's.
template <class List, class Text>
std::string listed(const List& list, Text text) {
    std::string out = "[";
    for (const auto& item : list) out += (out.size() == 1 ? "" : ", ") + text(item);
    return out + "]";
}

std::string workload_toml(const Workload& workload) {
    std::string dimensions;
    for (const Dimension& dimension : workload.dimensions)
        dimensions += fmt::format("{}{} = {}", dimensions.empty() ? "" : ", ", key(dimension.name),
                                  dimension.size);
    std::string text = fmt::format("[workload]\nname = {}\ndimensions = {{ {} }}\n",
                                   quoted(workload.name), dimensions);
    for (const DataSpace& data_space : workload.data_spaces) {
        const std::string ranks = listed(data_space.ranks, [&](const Rank& rank) {
            return listed(rank, [&](const Term& term) {
                return fmt::format("[{}, {}]",
                                   quoted(workload.dimensions[index(term.dimension)].name),
                                   term.coefficient);
            });
        });
        text += fmt::format("\n[[workload.tensors]]\nname = {}\nranks = {}\noutput = {}\n",
                            quoted(data_space.name), ranks, data_space.output);
    }
    return text;
}

template <class Number>
std::string optional_key(std::string_view key, const std::optional<Number>& value) {
    if (!value) return "";
    // Doubles with a point, as their type is in TOML; and so that reading gives them back.
    if constexpr (std::is_floating_point_v<Number>) {
        const std::string digits = fmt::format("{}", *value);
        const bool whole = digits.find_first_of(".en") == std::string::npos;
        return fmt::format("{} = {}{}\n", key, digits, whole ? ".0" : "");
    } else {
        return fmt::format("{} = {}\n", key, *value);
    }
}

std::string architecture_toml(const Architecture& architecture) {
    std::string text;
    for (const StorageLevel& level : architecture.levels) {
        text += fmt::format("\n[[architecture.levels]]\nname = {}\n", quoted(level.name));
        text += optional_key("capacity_words", level.capacity_words);
        text += fmt::format("word_bits = {}\ninstances = {}\n", level.word_bits, level.instances);
        text += optional_key("read_bandwidth", level.read_bandwidth);
        text += optional_key("write_bandwidth", level.write_bandwidth);
        text += optional_key("shared_bandwidth", level.shared_bandwidth);
        if (level.multiple_buffering != 1)
            text += fmt::format("multiple_buffering = {}\n", level.multiple_buffering);
        text += optional_key("mesh_x", level.mesh_x);
    }
    if (!architecture.compute) return text;
    text += fmt::format("\n[architecture.compute]\nname = {}\ninstances = {}\n",
                        quoted(architecture.compute->name), architecture.compute->instances);
    return text + optional_key("mesh_x", architecture.compute->mesh_x);
}

std::string mapping_toml(const Case& made) {
    const auto loop_text = [&](const Loop& loop) {
        return fmt::format("[{}, {}{}]",
                           quoted(made.workload.dimensions[index(loop.dimension)].name), loop.bound,
                           loop.last_bound == 0 ? "" : fmt::format(", {}", loop.last_bound));
    };
    std::string text;
    for (std::size_t i = 0; i < made.mapping.levels.size(); ++i) {
        const MappingLevel& level = made.mapping.levels[i];
        std::vector<std::string_view> kept;
        for (std::size_t t = 0; t < level.keep.size(); ++t)
            if (level.keep[t]) kept.push_back(made.workload.data_spaces[t].name);
        text +=
            fmt::format("\n[[mapping.levels]]\nname = {}\ntemporal = {}\nspatial = {}\nkeep = {}\n",
                        quoted(made.architecture.levels[i].name), listed(level.temporal, loop_text),
                        listed(level.spatial, loop_text), listed(kept, quoted));
        if (level.spatial_y != 0) text += fmt::format("spatial_y = {}\n", level.spatial_y);
    }
    return text;
}

}  // namespace

std::string case_toml(const Case& made) {
    return "version = 1\n\n" + workload_toml(made.workload) + architecture_toml(made.architecture) +
           mapping_toml(made);
}

}  // namespace reference

// Writes cases as TOML, lists on one line.
// Does not escape names: those of tests are plain words.
// See case_text.hpp.
#include "tests/support/case_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tests {

namespace {

using reference::Case;
using reference::Loop;

template <class T>
std::string list(const std::vector<T>& values, const std::function<std::string(const T&)>& text) {
    std::string out = "[";
    for (const T& value : values) out += (out.size() > 1 ? ", " : "") + text(value);
    return out + "]";
}

template <class T>
std::string line(std::string_view key, const std::optional<T>& value) {
    return value ? fmt::format("{} = {}\n", key, *value) : "";
}

std::string workload_text(const reference::Workload& workload) {
    const auto name = [&](reference::DimensionId id) {
        return workload.dimensions[index(id)].name;
    };
    const std::function<std::string(const reference::Dimension&)> size = [](const auto& d) {
        return fmt::format("{} = {}", d.name, d.size);
    };
    std::string dimensions = list(workload.dimensions, size);
    dimensions.front() = '{';
    dimensions.back() = '}';
    std::string out =
        fmt::format("[workload]\nname = \"{}\"\ndimensions = {}\n", workload.name, dimensions);
    const std::function<std::string(const reference::Term&)> term = [&](const auto& t) {
        return fmt::format("[\"{}\", {}]", name(t.dimension), t.coefficient);
    };
    const std::function<std::string(const reference::Rank&)> rank = [&](const auto& terms) {
        return list(terms, term);
    };
    for (const auto& space : workload.data_spaces)
        out += fmt::format("[[workload.tensors]]\nname = \"{}\"\nranks = {}\noutput = {}\n",
                           space.name, list(space.ranks, rank), space.output);
    return out;
}

std::string architecture_text(const reference::Architecture& architecture) {
    std::string out;
    for (const auto& level : architecture.levels) {
        out += fmt::format("[[architecture.levels]]\nname = \"{}\"\nword_bits = {}\n", level.name,
                           level.word_bits);
        out += fmt::format("instances = {}\n", level.instances);
        out += line("capacity_words", level.capacity_words);
        out += line("read_bandwidth", level.read_bandwidth);
        out += line("write_bandwidth", level.write_bandwidth);
        out += line("shared_bandwidth", level.shared_bandwidth);
        if (level.multiple_buffering != 1)
            out += fmt::format("multiple_buffering = {}\n", level.multiple_buffering);
        out += line("mesh_x", level.mesh_x);
    }
    if (architecture.compute)
        out += fmt::format("[architecture.compute]\nname = \"{}\"\ninstances = {}\n{}",
                           architecture.compute->name, architecture.compute->instances,
                           line("mesh_x", architecture.compute->mesh_x));
    return out;
}

std::string mapping_text(const Case& input) {
    const std::function<std::string(const Loop&)> loop = [&](const Loop& l) {
        const std::string& name = input.workload.dimensions[index(l.dimension)].name;
        return l.last_bound == 0 ? fmt::format("[\"{}\", {}]", name, l.bound)
                                 : fmt::format("[\"{}\", {}, {}]", name, l.bound, l.last_bound);
    };
    const std::function<std::string(const std::string&)> quoted = [](const std::string& name) {
        return "\"" + name + "\"";
    };
    std::string out;
    for (std::size_t i = 0; i < input.mapping.levels.size(); ++i) {
        const auto& level = input.mapping.levels[i];
        std::vector<std::string> kept;
        for (std::size_t d = 0; d < level.keep.size(); ++d)
            if (level.keep[d]) kept.push_back(input.workload.data_spaces[d].name);
        out += fmt::format(
            "[[mapping.levels]]\nname = \"{}\"\ntemporal = {}\nspatial = {}\nkeep = {}\n",
            input.architecture.levels[i].name, list(level.temporal, loop),
            list(level.spatial, loop), list(kept, quoted));
        if (level.spatial_y > 0) out += fmt::format("spatial_y = {}\n", level.spatial_y);
    }
    return out;
}

}  // namespace

std::string toml_of(const Case& input) {
    return "version = 1\n" + workload_text(input.workload) + architecture_text(input.architecture) +
           mapping_text(input);
}

std::string name_of(const reference::Semantics& semantics) {
    constexpr std::string_view kNames[] = {"exact", "timeloop", "timeloop-2024"};
    return fmt::format("{}, {}links, {}extrapolation",
                       kNames[static_cast<std::size_t>(semantics.dialect)],
                       semantics.links ? "" : "no ", semantics.extrapolation ? "" : "no ");
}

}  // namespace tests

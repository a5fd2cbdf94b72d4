// Converts Timeloop's older tree style (JSON) to our three inputs.
// Does not report mistakes kindly: the records are part of the tests.
// See timeloop_record.hpp.
#include "tests/support/timeloop_record.hpp"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tests {

namespace {

using nlohmann::json;
using reference::DimensionId;

std::vector<std::string> lines_of(const std::string& path) {
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) throw std::runtime_error("cannot open " + path);
    std::string text;
    char buffer[1 << 16];
    for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    gzclose(file);
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
    return lines;
}

DimensionId dimension(const reference::Workload& workload, const std::string& name) {
    for (std::size_t i = 0; i < workload.dimensions.size(); ++i)
        if (workload.dimensions[i].name == name) return static_cast<DimensionId>(i);
    throw std::runtime_error("no dimension " + name);
}

reference::Workload workload(const json& problem) {
    reference::Workload out;
    const json& shape = problem.at("shape");
    out.name = shape.at("name");
    for (const std::string name : shape.at("dimensions"))
        out.dimensions.push_back({name, problem.at("instance").at(name)});
    for (const json& space : shape.at("data_spaces")) {
        reference::DataSpace data_space;
        data_space.name = space.at("name");
        data_space.output = space.value("read_write", false);
        for (const json& terms : space.at("projection")) {
            reference::Rank rank;
            for (const json& term : terms) {  // [D], or [D, the name of a coefficient]
                const std::string name = term.at(0);
                rank.push_back({dimension(out, name), 1});
                if (term.size() > 1)
                    rank.back().coefficient =
                        problem.at("instance").at(term.at(1).get<std::string>());
            }
            data_space.ranks.push_back(std::move(rank));
        }
        out.data_spaces.push_back(std::move(data_space));
    }
    return out;
}

/// "PE[0..7]": 8.
std::int64_t copies(const std::string& name) {
    const auto open = name.find('[');
    if (open == std::string::npos) return 1;
    const auto dots = name.find("..", open);
    return std::stoll(name.substr(dots + 2)) - std::stoll(name.substr(open + 1)) + 1;
}

std::optional<double> number(const json& attributes, const char* key) {
    if (!attributes.contains(key)) return std::nullopt;
    return attributes.at(key).get<double>();
}

/// Adds the storage levels of a node and of all inside it.
void add_levels(const json& node, std::int64_t instances, TimeloopRecord& record) {
    instances *= copies(node.value("name", ""));
    for (const json& component : node.value("local", json::array())) {
        if (component.at("class").get<std::string>().find("mac") != std::string::npos) continue;
        const json& attributes = component.at("attributes");
        const std::string name = component.at("name");
        reference::StorageLevel level;
        level.name = name.substr(0, name.find('['));
        level.instances = instances * copies(name);
        level.read_bandwidth = number(attributes, "read_bandwidth");
        level.write_bandwidth = number(attributes, "write_bandwidth");
        record.shared_bandwidth.push_back(number(attributes, "shared_bandwidth"));
        record.input.architecture.levels.push_back(std::move(level));
    }
    for (const json& inner : node.value("subtree", json::array()))
        add_levels(inner, instances, record);
}

/// `factors` "M=2 N=3" in the order of `permutation`, which names the innermost first.
std::vector<reference::Loop> loops(const json& directive, const reference::Workload& workload) {
    std::vector<reference::Loop> out;
    const std::string permutation = directive.at("permutation");
    std::istringstream factors(directive.at("factors").get<std::string>());
    for (std::string factor; factors >> factor;)
        out.push_back({dimension(workload, factor.substr(0, 1)), std::stoll(factor.substr(2))});
    const auto outwards = [&](const reference::Loop& loop) {
        return permutation.find(workload.dimensions[index(loop.dimension)].name);
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const auto& a, const auto& b) { return outwards(a) > outwards(b); });
    return out;
}

void add_mapping(const json& directives, ModelCase& input) {
    const auto& levels = input.architecture.levels;
    const auto& spaces = input.workload.data_spaces;
    input.mapping.levels.resize(levels.size());
    for (auto& level : input.mapping.levels) level.keep.assign(spaces.size(), true);
    for (const json& directive : directives) {
        std::size_t at = 0;
        while (levels.at(at).name != directive.at("target").get<std::string>()) ++at;
        auto& level = input.mapping.levels[at];
        const std::string type = directive.at("type");
        if (type == "temporal") level.temporal = loops(directive, input.workload);
        if (type == "spatial") level.spatial = loops(directive, input.workload);
        if (type != "bypass") continue;
        for (const std::string name : directive.at("bypass"))
            for (std::size_t d = 0; d < spaces.size(); ++d)
                if (spaces[d].name == name) level.keep[d] = false;
    }
}

reference::Traffic traffic(const json& expected, const reference::Workload& workload) {
    reference::Traffic out;
    out.computes = expected.at("computes");
    out.cycles = expected.at("cycles");
    for (const json& printed : expected.at("levels")) {
        reference::LevelTraffic level;
        level.name = printed.at("name");
        level.cycles = printed.at("cycles");
        for (const auto& space : workload.data_spaces) {
            auto& movement = level.movements.emplace_back();
            const json& words = printed.at("dataspaces").at(space.name);
            if (words.is_null()) continue;
            level.instances = words.at("utilized_instances");
            movement = reference::Movement{words.at("utilized_capacity"), words.at("reads"),
                                           words.at("fills"), words.at("updates")};
        }
        out.levels.push_back(std::move(level));
    }
    return out;
}

}  // namespace

std::vector<TimeloopRecord> read_timeloop_records(const std::string& path) {
    std::vector<TimeloopRecord> records;
    for (const std::string& line : lines_of(path)) {
        const json object = json::parse(line);
        TimeloopRecord& record = records.emplace_back();
        record.id = object.at("id");
        record.family = object.at("family");
        record.arch_kind = object.at("arch_kind");
        record.input.workload = workload(object.at("problem"));
        for (const json& node : object.at("architecture").at("subtree"))
            add_levels(node, 1, record);
        add_mapping(object.at("mapping"), record.input);
        record.expected = traffic(object.at("expected"), record.input.workload);
    }
    return records;
}

}  // namespace tests

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
using reference::Movement;
using reference::Words;

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

std::optional<std::int64_t> capacity(const json& attributes) {
    if (attributes.contains("entries")) return attributes.at("entries").get<std::int64_t>();
    if (!attributes.contains("depth")) return std::nullopt;
    return attributes.at("depth").get<std::int64_t>() *
           attributes.at("block_size").get<std::int64_t>();
}

reference::StorageLevel level(const json& component, std::int64_t instances) {
    const json& attributes = component.at("attributes");
    const std::string name = component.at("name");
    reference::StorageLevel out;
    out.name = name.substr(0, name.find('['));
    out.instances = instances * copies(name);
    out.capacity_words = capacity(attributes);
    out.word_bits = attributes.value(attributes.contains("datawidth") ? "datawidth" : "word_bits",
                                     std::int64_t{16});
    out.read_bandwidth = number(attributes, "read_bandwidth");
    out.write_bandwidth = number(attributes, "write_bandwidth");
    out.shared_bandwidth = number(attributes, "shared_bandwidth");
    out.multiple_buffering = attributes.value("multiple_buffering", 1);
    if (attributes.contains("meshX")) out.mesh_x = attributes.at("meshX").get<std::int64_t>();
    return out;
}

/// Adds the storage levels of a node and of all inside it.
void add_levels(const json& node, std::int64_t instances, reference::Architecture& architecture) {
    instances *= copies(node.value("name", ""));
    for (const json& component : node.value("local", json::array())) {
        reference::StorageLevel storage = level(component, instances);
        if (component.at("class").get<std::string>().find("mac") == std::string::npos)
            architecture.levels.push_back(std::move(storage));
        else
            architecture.compute = {storage.name, storage.instances, storage.mesh_x};
    }
    for (const json& inner : node.value("subtree", json::array()))
        add_levels(inner, instances, architecture);
}

/// `factors` "M=2 N=4,3" in the order of `permutation`, which names the innermost first.
std::vector<reference::Loop> loops(const json& directive, const reference::Workload& workload) {
    std::vector<reference::Loop> out;
    const std::string permutation = directive.at("permutation");
    std::istringstream factors(directive.at("factors").get<std::string>());
    for (std::string factor; factors >> factor;) {
        reference::Loop loop{dimension(workload, factor.substr(0, 1)),
                             std::stoll(factor.substr(2))};
        const auto comma = factor.find(',');
        if (comma != std::string::npos) loop.last_bound = std::stoll(factor.substr(comma + 1));
        if (loop.last_bound == loop.bound) loop.last_bound = 0;
        if (loop.bound > 1) out.push_back(loop);
    }
    const auto outwards = [&](const reference::Loop& loop) {
        return permutation.find(workload.dimensions[index(loop.dimension)].name);
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const auto& a, const auto& b) { return outwards(a) > outwards(b); });
    return out;
}

/// The first `split` letters of the permutation run along X, the others along Y.
std::size_t along_y(const json& directive, const std::vector<reference::Loop>& spatial,
                    const reference::Workload& workload) {
    const std::string permutation = directive.at("permutation");
    const std::size_t split = directive.value("split", permutation.size());
    std::size_t count = 0;
    for (const auto& loop : spatial)
        count += permutation.find(workload.dimensions[index(loop.dimension)].name) >= split ? 1 : 0;
    return count;
}

void add_mapping(const json& directives, reference::Case& input) {
    const auto& levels = input.architecture.levels;
    const auto& spaces = input.workload.data_spaces;
    input.mapping.levels.resize(levels.size());
    for (auto& level : input.mapping.levels) level.keep.assign(spaces.size(), true);
    for (const json& directive : directives) {
        const std::string target = directive.at("target");
        std::size_t at = 0;
        while (at < levels.size() && levels[at].name != target) ++at;
        if (at == levels.size()) throw std::runtime_error("no level " + target);
        auto& level = input.mapping.levels[at];
        const std::string type = directive.at("type");
        if (type == "temporal") level.temporal = loops(directive, input.workload);
        if (type == "spatial") {
            level.spatial = loops(directive, input.workload);
            level.spatial_y = along_y(directive, level.spatial, input.workload);
        }
        if (type != "bypass") continue;
        for (const std::string name : directive.at("bypass"))
            for (std::size_t d = 0; d < spaces.size(); ++d)
                if (spaces[d].name == name) level.keep[d] = false;
    }
}

Words words(const json& printed, bool output) {
    const Words out{printed.at("reads"), printed.at("fills"), printed.at("updates")};
    if (printed.at("temporal_reductions") != (output ? out.reads : 0))
        throw std::runtime_error("temporal reductions are not the reads of an output");
    return out;
}

Movement movement(const json& printed, bool output) {
    const Words each = words(printed, output);
    Movement out;
    out.tile_words = printed.at("utilized_capacity");
    out.reads = each.reads;
    out.fills = each.fills;
    out.updates = each.updates;
    out.partition_words = printed.at("partition_size");
    out.total = words(printed.at("total"), output);
    return out;
}

reference::Traffic traffic(const json& expected, const reference::Workload& workload) {
    reference::Traffic out;
    out.computes = expected.at("computes");
    out.cycles = expected.at("cycles");
    out.utilization = std::stod(expected.at("utilization").get<std::string>()) / 100;
    for (const json& printed : expected.at("levels")) {
        reference::LevelTraffic level;
        level.name = printed.at("name");
        level.cycles = printed.at("cycles");
        level.throttling = printed.at("throttling");
        for (const auto& space : workload.data_spaces) {
            auto& kept = level.movements.emplace_back();
            const json& of_space = printed.at("dataspaces").at(space.name);
            if (of_space.is_null()) continue;
            level.instances = of_space.at("utilized_instances");
            kept = movement(of_space, space.output);
        }
        out.levels.push_back(std::move(level));
    }
    return out;
}

reference::Case input(const json& object) {
    reference::Case out;
    out.workload = workload(object.at("problem"));
    for (const json& node : object.at("architecture").at("subtree"))
        add_levels(node, 1, out.architecture);
    add_mapping(object.at("mapping"), out);
    return out;
}

TimeloopRecord record(const json& object) {
    TimeloopRecord out;
    out.id = object.at("id");
    out.family = object.value("family", "");
    out.arch_kind = object.value("arch_kind", "");
    out.expected_error = object.value("expected_error", "");
    try {
        out.input = input(object);
    } catch (const std::runtime_error& e) {
        out.refused = e.what();
    }
    out.variants_run = object.value("variants_run", std::vector<std::string>());
    if (!object.contains("expected")) return out;
    out.expected = traffic(object.at("expected"), out.input.workload);
    const json variants = object.value("variants", json::object());
    for (const auto& [name, numbers] : variants.items())
        out.variants[name] = traffic(numbers, out.input.workload);
    return out;
}

}  // namespace

std::vector<TimeloopRecord> read_timeloop_records(const std::string& path) {
    std::vector<TimeloopRecord> records;
    for (const std::string& line : lines_of(path)) records.push_back(record(json::parse(line)));
    return records;
}

}  // namespace tests

// Writes results as JSON text directly: a batch writes millions of numbers.
// Does not count.
// See model_result.hpp.
#include "grader/json.hpp"
#include "tools/model_result.hpp"
#include "tools/version.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tools {

namespace {

using reference::Movement;

std::string text(std::string_view value) {
    return grader::dump(grader::Json(value));
}

std::string number(double value) {
    return grader::dump(grader::Json(value));
}

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void add_words(std::string& out, const reference::DataSpace& space, const reference::Words& words) {
    add(out, R"("reads":{},"fills":{},"updates":{},"temporal_reductions":{})", words.reads,
        words.fills, words.updates, reductions(space, words.reads));
}

void add_movement(std::string& out, const reference::DataSpace& space,
                  const reference::LevelTraffic& level, const Movement& movement) {
    add(out, R"({{"partition_size":{},"utilized_capacity":{},"utilized_instances":{},)",
        movement.partition_words, movement.tile_words, level.instances);
    add_words(out, space, {movement.reads, movement.fills, movement.updates});
    out += R"(,"total":{)";
    add_words(out, space, movement.total);
    out += "}}";
}

/// Rounded to two digits; a whole number without a point.
std::string throttling_text(double throttling) {
    std::string rounded = fmt::format("{:.2f}", throttling);
    rounded.erase(rounded.find_last_not_of('0') + 1);
    if (rounded.back() == '.') rounded.pop_back();
    return rounded;
}

std::string buffers_json(const ModelResult& result) {
    std::string out = "[";
    for (std::size_t i = 0; i < result.traffic.levels.size(); ++i) {
        const reference::StorageLevel& storage = result.input.architecture.levels[i];
        add(out, R"({}{{"name":{},"words":{},"multiple_buffering":{},"capacity_words":{}}})",
            i == 0 ? "" : ",", text(storage.name), buffer_words(result.traffic.levels[i]),
            storage.multiple_buffering,
            storage.capacity_words ? fmt::format("{}", *storage.capacity_words) : "null");
    }
    return out + "]";
}

std::string energy_json(const ModelResult& result) {
    if (!result.energy) return "null";
    const reference::Energy& energy = *result.energy;
    std::string out = R"({"levels":[)";
    for (std::size_t level = 0; level < energy.accesses_pj.size(); ++level) {
        add(out, R"({}{{"name":{},"dataspaces":{{)", level == 0 ? "" : ",",
            text(result.traffic.levels[level].name));
        for (std::size_t d = 0; d < energy.accesses_pj[level].size(); ++d)
            add(out, "{}{}:{}", d == 0 ? "" : ",", text(result.input.workload.data_spaces[d].name),
                result.traffic.levels[level].movements[d] ? number(energy.accesses_pj[level][d])
                                                          : "null");
        out += "}}";
    }
    add(out, R"(],"compute_pj":{},"total_pj":{}}})", number(energy.compute_pj),
        number(energy.total_pj));
    return out;
}

}  // namespace

std::string result_json(const reference::Workload& workload, const reference::Traffic& traffic) {
    std::vector<std::string> names;
    for (const reference::DataSpace& space : workload.data_spaces)
        names.push_back(text(space.name));
    std::string out;
    add(out, R"({{"cycles":{},"computes":{},"utilization":"{}","levels":[)", traffic.cycles,
        traffic.computes, utilization_text(traffic.utilization));
    for (std::size_t i = 0; i < traffic.levels.size(); ++i) {
        const reference::LevelTraffic& level = traffic.levels[i];
        add(out, R"({}{{"name":{},"cycles":{},"throttling":{},"dataspaces":{{)", i == 0 ? "" : ",",
            text(level.name), level.cycles, throttling_text(level.throttling));
        for (std::size_t d = 0; d < names.size(); ++d) {
            add(out, "{}{}:", d == 0 ? "" : ",", names[d]);
            if (level.movements[d])
                add_movement(out, workload.data_spaces[d], level, *level.movements[d]);
            else
                out += "null";
        }
        out += "}}";
    }
    return out + "]}";
}

std::string model_json(const ModelResult& result) {
    const reference::Workload& workload = result.input.workload;
    return fmt::format(
        R"({{"version":{},"problem":{},"semantics":{},"links":{},"extrapolation":{},)"
        R"("result":{},"buffers":{},"off_chip_words":{},"energy":{}}})",
        text(version()), text(workload.name), text(dialect_text(result.semantics.dialect)),
        result.semantics.links, result.semantics.extrapolation,
        result_json(workload, result.traffic), buffers_json(result), off_chip_words(result.traffic),
        energy_json(result));
}

}  // namespace tools

// The printed numbers of each record; its input comes from our own reader.
// Does not report mistakes kindly: the records are part of the tests.
// See timeloop_record.hpp.
#include "tests/support/timeloop_record.hpp"

#include "reference/timeloop_yaml.hpp"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <sstream>
#include <stdexcept>

namespace tests {

namespace {

using nlohmann::json;
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

TimeloopRecord record(const std::string& line, const std::string& path, std::size_t number) {
    const json object = json::parse(line);
    auto read = reference::read_timeloop_record(line, path, number);
    TimeloopRecord out;
    out.id = object.at("id");
    if (read.id != out.id) throw std::runtime_error("our reader finds the id " + read.id);
    out.family = object.value("family", "");
    out.arch_kind = object.value("arch_kind", "");
    out.expected_error = object.value("expected_error", "");
    if (read.input)
        out.input = *std::move(read.input);
    else
        out.refused = read.input.error().what;
    out.variants_run = object.value("variants_run", std::vector<std::string>());
    if (!object.contains("expected")) return out;
    if (!read.input) throw std::runtime_error(out.refused);
    out.expected = traffic(object.at("expected"), out.input.workload);
    const json variants = object.value("variants", json::object());
    for (const auto& [name, numbers] : variants.items())
        out.variants[name] = traffic(numbers, out.input.workload);
    return out;
}

}  // namespace

std::vector<TimeloopRecord> read_timeloop_records(const std::string& path) {
    std::vector<TimeloopRecord> records;
    for (const std::string& line : lines_of(path))
        records.push_back(record(line, path, records.size() + 1));
    return records;
}

}  // namespace tests

// The short text form of model_case.hpp.
// Aborts on text that is not in that form: it is part of a test.
// See model_case.hpp.
#include "tests/support/model_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tests {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

reference::DimensionId dimension(reference::Workload& workload, char letter) {
    const std::string name(1, letter);
    auto& all = workload.dimensions;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.name == name; });
    const auto position = found - all.begin();
    if (found == all.end()) all.push_back({name, 1});
    return static_cast<reference::DimensionId>(position);
}

reference::Term term(reference::Workload& workload, const std::string& text) {
    const std::string number = text.substr(0, text.size() - 1);
    return {dimension(workload, text.back()), number.empty() ? 1 : std::atoll(number.c_str())};
}

reference::DataSpace data_space(reference::Workload& workload, const std::string& text) {
    reference::DataSpace out;
    const auto mark = text.find_first_of(":=");
    if (mark == std::string::npos) std::abort();
    out.name = text.substr(0, mark);
    out.output = text[mark] == '=';
    if (mark + 1 == text.size()) return out;
    for (const std::string& rank : split(text.substr(mark + 1), ',')) {
        out.ranks.emplace_back();
        for (const std::string& part : split(rank, '+'))
            out.ranks.back().push_back(term(workload, part));
    }
    return out;
}

std::vector<reference::Loop> loops(reference::Workload& workload, const std::string& text) {
    std::vector<reference::Loop> out;
    for (const std::string& loop : split(text, ' ')) {
        if (loop.empty()) continue;
        const auto id = dimension(workload, loop.front());
        const std::int64_t bound = std::atoll(loop.c_str() + 1);
        workload.dimensions[index(id)].size *= bound;
        out.push_back({id, bound});
    }
    return out;
}

}  // namespace

ModelCase model_case(std::string_view tensors, const std::vector<std::string_view>& levels) {
    ModelCase out;
    out.workload.name = "test";
    for (const std::string& text : split(tensors, ' '))
        out.workload.data_spaces.push_back(data_space(out.workload, text));
    std::int64_t instances = 1;
    for (const std::string_view text : levels) {
        auto parts = split(text, '/');
        parts.resize(3);
        reference::MappingLevel level;
        level.temporal = loops(out.workload, parts[0]);
        level.spatial = loops(out.workload, parts[1]);
        for (const auto& d : out.workload.data_spaces)
            level.keep.push_back(parts[2].find("-" + d.name) == std::string::npos);
        const std::string name = out.architecture.levels.empty()
                                     ? "DRAM"
                                     : "L" + std::to_string(out.architecture.levels.size());
        out.architecture.levels.push_back({.name = name, .instances = instances});
        for (const auto& loop : level.spatial) instances *= loop.bound;
        out.mapping.levels.push_back(std::move(level));
    }
    return out;
}

}  // namespace tests

// One row per language.
// Does not run anything.
// See languages.hpp.
#include "grader/languages.hpp"

#include "grader/embedded.hpp"
#include "grader/json.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace grader {

namespace {

using std::chrono::milliseconds;

sandbox::Limits compile_limits() {
    sandbox::Limits limits;
    limits.cpu_time = milliseconds{10'000};
    limits.wall_time = milliseconds{41'000};
    limits.memory_bytes = std::uint64_t{1} << 30U;
    limits.output_bytes = 1U << 20U;  // a flood of diagnostics ends here; 64 KiB of it are kept
    limits.file_bytes = 96U << 20U;   // the precompiled header has 35 MiB
    limits.inodes = 64;
    limits.processes = 16;
    limits.open_files = 64;
    return limits;
}

LanguageRow cpp_row() {
    LanguageRow row;
    row.language = Language::cpp;
    row.profile = sandbox::Profile::native;
    row.argv = {"submission"};
    row.version_argv = {"/usr/bin/g++", "--version"};
    row.compile = CompileRecipe{
        .compiler = "/usr/bin/g++",
        .source_name = "submission.cpp",
        .flags = {"-std=c++20", "-O2", "-pipe", "-fno-diagnostics-color"},
        .env = {"PATH=/usr/bin", "TMPDIR=.", "LC_ALL=C"},
        .limits = compile_limits(),
        .program_bytes = 32U << 20U,
    };
    row.self_test = R"(#include "perfmodel.hpp"
#include <stdexcept>
int main() { return 3; }
Prediction predict(const Workload& w, const Architecture& a, const Mapping& m) {
    try { throw std::runtime_error("caught"); } catch (const std::exception&) {}
    return {{"size", w.dimensions.at("M") * w.tensors.at(0).ranks.at(0).at(0).coefficient},
            {"unlimited", a.levels.at(0).capacity_words ? 1 : 0},
            {"loops", static_cast<std::int64_t>(m.levels.at(0).temporal.size())}};
}
)";
    return row;
}

LanguageRow python_row() {
    LanguageRow row;
    row.language = Language::python;
    row.profile = sandbox::Profile::python;
    row.program = "/usr/bin/python3";
    // Not -I and not -E: they would ignore PYTHONHASHSEED. The environment is ours anyway.
    row.argv = {"python3", "-s", "-S", "-P", "-c", embedded::python_entry()};
    row.env = {"PYTHONHASHSEED=0", "LC_ALL=C.UTF-8"};
    row.version_argv = {"python3", "--version"};
    row.self_test = R"(import collections, dataclasses, functools, itertools, json, math, typing
def predict(workload, architecture, mapping):
    size = workload["dimensions"]["M"] * workload["tensors"][0]["ranks"][0][0][1]
    return {"loops": len(mapping["levels"][0]["temporal"]), "size": size,
            "unlimited": math.gcd(0, architecture["levels"][0]["capacity_words"] is not None)}
)";
    return row;
}

LanguageRow lua_row() {
    LanguageRow row;
    row.language = Language::lua;
    row.profile = sandbox::Profile::lua;
    row.argv = {"perfjudge-lua", "{instructions}"};
    row.version = "Lua 5.4 (perfjudge-lua)";
    row.self_test = R"(function predict(workload, architecture, mapping)
    local size = workload.dimensions.M * workload.tensors[1].ranks[1][1][2]
    local unlimited = architecture.levels[1].capacity_words == nil
    return {loops = #mapping.levels[1].temporal, size = size, unlimited = unlimited and 0 or 1}
end
)";
    return row;
}

}  // namespace

const std::string_view kSelfTestCase =
    R"({"workload":{"name":"self","dimensions":{"M":6},"tensors":[{"name":"A","ranks":[[["M",7]]],)"
    R"("output":false}]},"architecture":{"levels":[{"name":"DRAM","capacity_words":null,)"
    R"("word_bits":16,"instances":1,"read_bandwidth":0.5,"write_bandwidth":null}]},"mapping":)"
    R"({"levels":[{"name":"DRAM","temporal":[["M",6]],"spatial":[],"keep":["A"]}]}})";

bool self_test_passed(std::string_view record) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kExpected{
        {{"loops", 1}, {"size", 42}, {"unlimited", 0}}};
    const auto parsed = parse_json(record);
    const Json* answer = parsed ? parsed->find("answer") : nullptr;
    if (answer == nullptr || answer->members() == nullptr) return false;
    return answer->members()->size() == kExpected.size() &&
           std::all_of(kExpected.begin(), kExpected.end(), [&](const auto& quantity) {
               const Json* value = answer->find(quantity.first);
               return value != nullptr && value->integer() != nullptr &&
                      *value->integer() == quantity.second;
           });
}

std::span<const LanguageRow> language_rows() {
    static const std::array kRows{cpp_row(), python_row(), lua_row()};
    return kRows;
}

const LanguageRow& language_row(Language language) {
    for (const LanguageRow& row : language_rows())
        if (row.language == language) return row;
    std::abort();  // a language without a row: the table is wrong
}

std::uint64_t instruction_budget(const sandbox::Limits& limits) {
    constexpr std::uint64_t kPerMillisecond = 50'000;
    return static_cast<std::uint64_t>(limits.cpu_time.count()) * kPerMillisecond;
}

}  // namespace grader

// Tests of `perfjudge model` below the command line: JSON, tables, charts, batches, files.
// Not of the counts: tests/reference does that.
// Run by the unit suite.
#include "grader/json.hpp"
#include "grader/line_reader.hpp"
#include "tests/support/model_case.hpp"
#include "tests/support/source_root.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/model_batch.hpp"
#include "tools/model_input.hpp"
#include "tools/model_plot.hpp"
#include "tools/model_result.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace {

using grader::Json;

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

Json parsed(const std::string& text) {
    grader::JsonOptions options;
    options.depth = 64;
    auto json = grader::parse_json(text, options);
    REQUIRE_MESSAGE(json.has_value(), (json ? "" : json.error().what));
    return std::move(*json);
}

/// A copy without one member.
Json without(const Json& object, std::string_view key) {
    Json copy = Json::object();
    for (const Json::Member& member : *object.members())
        if (member.key != key) copy.set(member.key, member.value);
    return copy;
}

template <class Visit>
void for_each_record(const std::string& file, std::uint64_t every, Visit visit) {
    auto source = grader::open_bytes(source_root() / "tests/data/timeloop" / file);
    REQUIRE(source.has_value());
    grader::LineReader reader(std::move(*source), std::size_t{1} << 20U);
    grader::Line line;
    for (auto more = reader.next(line); more && *more; more = reader.next(line))
        if (line.number % every == 0) visit(line.text);
}

tools::ModelResult gemm_ws(std::vector<std::string_view> levels = {"K4 N3 M2", "M2 N2 K2"}) {
    auto [workload, architecture, mapping] = tests::model_case("A:M,K B:K,N Z=M,N", levels);
    workload.name = "gemm";
    tools::ModelResult result{
        {std::move(workload), std::move(architecture), std::move(mapping)}, {}, {}, {}};
    auto traffic = tools::count(result.input, result.semantics);
    REQUIRE(traffic.has_value());
    result.traffic = std::move(*traffic);
    return result;
}

const char* const kRecord =
    R"({"id":"a","problem":{"shape":{"name":"copy","dimensions":["M"],"data_spaces":[)"
    R"({"name":"X","projection":[[["M"]]]},{"name":"Y","projection":[[["M"]]],"read_write":true}]},)"
    R"("instance":{"M":SIZE}},"architecture":{"version":0.3,"subtree":[{"name":"s","local":[)"
    R"({"name":"DRAM","class":"DRAM","attributes":{"word-bits":16}},)"
    R"({"name":"Buffer","class":"SRAM","attributes":{"entries":4,"word-bits":16}},)"
    R"({"name":"MAC","class":"intmac","attributes":{}}]}]},"mapping":[)"
    R"({"target":"DRAM","type":"temporal","factors":"M=OUTER"},)"
    R"({"target":"Buffer","type":"temporal","factors":"M=INNER"}]})";

std::string record(const std::string& size, const std::string& outer, const std::string& inner) {
    std::string text = kRecord;
    for (const auto& [from, to] : {std::pair{"SIZE", size}, {"OUTER", outer}, {"INNER", inner}})
        text.replace(text.find(from), std::string_view(from).size(), to);
    return text;
}

std::string answer(const std::string& line, bool& failed, bool ignore_capacity = false) {
    return tools::answer_line(line, "f.jsonl", 7, {"", reference::kTimeloop, ignore_capacity},
                              failed);
}

const char* const kToml = R"(version = 1
[workload]
name = "copy"
dimensions = { M = 4 }
[[workload.tensors]]
name = "X"
ranks = [[["M", 1]]]
output = false
[[workload.tensors]]
name = "Y"
ranks = [[["M", 1]]]
output = true
[[architecture.levels]]
name = "DRAM"
word_bits = 16
instances = 1
[[architecture.levels]]
name = "Buffer"
word_bits = 16
instances = 1
[[mapping.levels]]
name = "DRAM"
temporal = [["M", 2]]
spatial = []
keep = ["X", "Y"]
[[mapping.levels]]
name = "Buffer"
temporal = [["M", 2]]
spatial = []
keep = ["X", "Y"]
)";

}  // namespace

TEST_CASE("model batch: golden records come out as timeloop-model printed them") {
    std::size_t compared = 0;
    for (const auto& [file, every] : {std::pair{"small.jsonl.gz", 7}, {"realistic.jsonl.gz", 23}}) {
        for_each_record(file, static_cast<std::uint64_t>(every), [&](const std::string& line) {
            bool failed = true;
            const Json said = parsed(answer(line, failed));
            const Json golden = parsed(line);
            CAPTURE(*golden.find("id")->string());
            CHECK_FALSE(failed);
            CHECK(*said.find("id") == *golden.find("id"));
            REQUIRE(said.find("result") != nullptr);
            CHECK(*said.find("result") == without(*golden.find("expected"), "networks"));
            ++compared;
        });
    }
    CHECK(compared > 150);
}

TEST_CASE("model batch: what is refused gets an error, with its id") {
    std::size_t refused = 0;
    for_each_record("invalid.jsonl.gz", 5, [&](const std::string& line) {
        bool failed = false;
        const Json said = parsed(answer(line, failed));
        CHECK(failed);
        CHECK(*said.find("id") == *parsed(line).find("id"));
        REQUIRE(said.find("error") != nullptr);
        CHECK(holds(*said.find("error")->string(), "f.jsonl:7: "));
        CHECK(said.find("result") == nullptr);
        ++refused;
    });
    CHECK(refused > 10);
}

TEST_CASE("model batch: a broken line, a mapping that does not fit, and one that does") {
    bool failed = false;
    CHECK(holds(answer("{\"id\": \"x\", ", failed), R"("error":"f.jsonl:7: )"));
    CHECK(failed);
    CHECK(holds(answer("[1]", failed), R"({"id":null,"error":")"));
    CHECK(failed);
    CHECK(holds(answer(record("6", "2", "3"), failed),
                R"({"id":"a","error":"f.jsonl:7: level 'Buffer': the tiles need 6 words)"));
    CHECK(failed);
    CHECK(holds(answer(record("6", "2", "3"), failed, true), R"({"id":"a","result":{)"));
    CHECK_FALSE(failed);
    CHECK(holds(answer(record("6", "3", "2"), failed), R"("cycles":6,"computes":6)"));
    CHECK_FALSE(failed);
    CHECK(holds(answer(record("7", "3", "2"), failed), "multiply to 6, its size is 7"));
    CHECK(failed);
}

TEST_CASE("model: a sum beyond 2^63-1 is an error") {
    // Each data space stays below; all of DRAM together does not.
    auto [workload, architecture, mapping] =
        tests::model_case("A:M,K B:K,N Z=M,N", {"K1048576 N1048576 M4194304", "M1 N1 K1"});
    const auto traffic = tools::count(
        {std::move(workload), std::move(architecture), std::move(mapping)}, reference::kExact);
    REQUIRE_FALSE(traffic.has_value());
    CHECK(traffic.error().code == reference::Error::Code::overflow);
    CHECK(traffic.error().what == "the words of all instances exceed 2^63-1");
}

TEST_CASE("model: the JSON object has all fields, of energy as well") {
    tools::ModelResult result = gemm_ws({"K4 N3 M2", "M2 N2 K2//-B"});
    result.input.architecture.levels[1].capacity_words = 64;
    const Json plain = parsed(tools::model_json(result));
    CHECK(*plain.find("semantics")->string() == "exact");
    CHECK_FALSE(*plain.find("links")->boolean());
    CHECK(plain.find("energy")->is_null());
    CHECK(*plain.find("off_chip_words")->integer() == tools::off_chip_words(result.traffic));
    const Json& buffer = plain.find("buffers")->array_items()->at(1);
    CHECK(*buffer.find("words")->integer() == 8);
    CHECK(*buffer.find("capacity_words")->integer() == 64);
    CHECK(plain.find("buffers")->array_items()->at(0).find("capacity_words")->is_null());
    const Json& level = plain.find("result")->find("levels")->array_items()->at(1);
    CHECK(level.find("dataspaces")->find("B")->is_null());
    result.energy = reference::energy_of({{{100, 200}, {1, 1}}, 0.5}, result.traffic);
    const Json priced = parsed(tools::model_json(result));
    CHECK(priced.find("energy")->find("compute_pj")->number() == 96.0);
    const Json& prices = priced.find("energy")->find("levels")->array_items()->at(0);
    CHECK(prices.find("dataspaces")->find("A")->number() == 9600.0);
}

TEST_CASE("model: throttling and utilization are rounded as timeloop-model prints them") {
    tools::ModelResult result = gemm_ws();
    result.traffic.levels[0].throttling = 0.625;
    result.traffic.levels[1].throttling = 0.5;
    result.traffic.utilization = 1.0 / 3;
    const std::string text = tools::result_json(result.input.workload, result.traffic);
    CHECK(holds(text, R"("utilization":"33.33%")"));
    CHECK(holds(text, R"("throttling":0.62)"));
    CHECK(holds(text, R"("throttling":0.5,)"));
}

TEST_CASE("model: the table") {
    tools::ModelResult result = gemm_ws();
    result.input.architecture.levels[1].capacity_words = 64;
    result.input.architecture.levels[1].multiple_buffering = 2;
    result.input.workload.name = "ge\x1b[31mmm";
    std::string text = tools::model_table(result, false);
    CHECK(holds(text, "ge?[31mmm: counted as exact"));
    CHECK_FALSE(holds(text, "\x1b"));
    CHECK(holds(text, "off-chip words 312\n"));
    CHECK(holds(text, "computes 192, cycles 192, utilization 100.00%\n"));
    CHECK(holds(text, "2 x 12         64"));
    CHECK_FALSE(holds(text, "pJ"));
    CHECK(holds(tools::model_table(result, true), "\x1b[1mlevel"));
    result.energy = reference::energy_of({{{100, 200}, {1, 1}}, 0.5}, result.traffic);
    CHECK(holds(tools::model_table(result, false), "of it computing 96.00 pJ\n"));
}

TEST_CASE("model: the chart is of words, or of energy where there is some") {
    tools::ModelResult result = gemm_ws();
    CHECK(holds(tools::model_plot(result), "words, all instances"));
    CHECK(holds(tools::model_plot(result), ">168</text>"));  // Z at DRAM: 72 + 96
    result.energy = reference::energy_of({{{100, 200}, {1, 1}}, 0.5}, result.traffic);
    const std::string energy = tools::model_plot(result);
    CHECK(holds(energy, ">pJ</text>"));
    CHECK(holds(energy, ">9.6k</text>"));
    CHECK(holds(energy, "computing"));
}

TEST_CASE("model: semantics are named with what differs") {
    using reference::Dialect;
    CHECK(tools::semantics_text(reference::kExact) == "exact");
    CHECK(tools::semantics_text(reference::kTimeloop2024) == "timeloop-2024");
    CHECK(tools::semantics_text({Dialect::timeloop, false, true}) == "timeloop, without links");
    CHECK(tools::semantics_text({Dialect::exact, true, true}) ==
          "exact, with links, with extrapolation");
}

TEST_CASE("model files: by name, else by contents; kinds may be mixed") {
    const support::TempDir folder;
    const auto toml = folder.write("a.toml", kToml);
    const auto bare = folder.write("bare", std::string("# a comment\n\n") + kToml);
    const auto yaml = folder.write("b.yaml", record("4", "2", "2"));
    const auto bare_yaml = folder.write("c", record("4", "2", "2"));
    for (const auto& problem : {toml, bare, yaml, bare_yaml}) {
        for (const auto& mapping : {toml, yaml}) {
            CAPTURE(problem.string() + mapping.string());
            const auto input = tools::load_case({problem, yaml, mapping});
            REQUIRE_MESSAGE(input.has_value(), (input ? "" : input.error().what));
            const auto traffic = tools::count(*input, reference::kExact);
            REQUIRE(traffic.has_value());
            CHECK(tools::off_chip_words(*traffic) == 8);
        }
    }
}

TEST_CASE("model files: mistakes name the file, whatever its kind") {
    const support::TempDir folder;
    const auto said = [](const std::filesystem::path& path) {
        const auto problem = tools::load_problem(path);
        REQUIRE_FALSE(problem.has_value());
        CHECK(problem.error().code == reference::Error::Code::unreadable);
        return problem.error().what;
    };
    CHECK(holds(said(folder.path() / "none.toml"), "none.toml"));
    CHECK(holds(said(folder.path()), folder.path().string()));
    CHECK(holds(said(folder.write("a.toml", "version = 1\n[workload]\n")), "a.toml:2: "));
    CHECK(holds(said(folder.write("b.yaml", "problem: {shape: 3}\n")), "b.yaml:1: "));
    CHECK(holds(said(folder.write("empty", "")), "empty"));
    (void)folder.write("large.toml", "");
    std::filesystem::resize_file(folder.path() / "large.toml", (std::uintmax_t{16} << 20U) + 1);
    CHECK(holds(said(folder.path() / "large.toml"), "large.toml"));
}

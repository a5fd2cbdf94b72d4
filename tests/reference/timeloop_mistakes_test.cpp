// What the reader of Timeloop's files refuses, and in which words.
// Not for what it takes: timeloop_spellings_test.cpp.
// Run by the unit suite.
#include "reference/mapping.hpp"
#include "reference/tiles.hpp"
#include "tests/support/timeloop_record.hpp"
#include "tests/support/timeloop_sample.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace tests;

namespace {

struct Row {
    std::string_view from;  // what of the sample is replaced
    std::string_view to;
    std::string_view wanted;  // the whole message
};

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out(text);
    const auto at = out.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    return out.replace(at, from.size(), to);
}

std::string message(const reference::Result<reference::Case>& read) {
    return read ? "" : read.error().what;
}

}  // namespace

TEST_CASE("timeloop: mistakes in a problem") {
    const std::vector<Row> rows{
        {"M: 4", "M: 0",
         "p.yaml:15: problem.instance.M: '0' is not right here; needs a whole number of "
         "at least 1"},
        {"M: 4", "M: 9223372036854775808",
         "p.yaml:15: problem.instance.M: '9223372036854775808' is not right here; needs a whole "
         "number of at most 2^63-1 in digits, or 2^53 as an expression"},
        {"M: 4", "M: 1e18",
         "p.yaml:15: problem.instance.M: '1e18' is not right here; needs a whole number of at most "
         "2^63-1 in digits, or 2^53 as an expression"},
        {"projection: [[[K]], [[N]]]", "projection: [[[K, 9223372036854775808]], [[N]]]",
         "p.yaml:11: problem.shape.data_spaces[1].projection[0][0][1]: there is no coefficient "
         "'9223372036854775808' of at least 1"},
        {"M: 4, ", "", "p.yaml:15: problem.instance.M: missing; needs the size of dimension M"},
        {"K: 8", "K: 2.5",
         "p.yaml:15: problem.instance.K: '2.5' is not right here; needs a whole "
         "number of at least 1"},
        {"K: 8", "K: big",
         "p.yaml:15: problem.instance.K: 'big' is not right here; needs a number: "
         "there is no 'big'"},
        {"projection: [[[K]], [[N]]]", "projection: [[[K]], [[Q]]]",
         "p.yaml:11: problem.shape.data_spaces[1].projection[1][0][0]: there is no dimension 'Q'; "
         "needs one of M N K"},
        {"projection: [[[K]], [[N]]]", "projection: [[[K, stride]], [[N]]]",
         "p.yaml:11: problem.shape.data_spaces[1].projection[0][0][1]: there is no coefficient "
         "'stride' of at least 1"},
        {"projection: [[[K]], [[N]]]", "projection: [[K], [N]]",
         "p.yaml:11: problem.shape.data_spaces[1].projection[0][0]: 'K' is not right here; needs a "
         "term "
         "like [P] or [P, Wstride]\np.yaml:11: problem.shape.data_spaces[1].projection[1][0]: 'N' "
         "is "
         "not right here; needs a term like [P] or [P, Wstride]"},
        {"read_write: true", "read_writes: true",
         "p.yaml:14: problem.shape.data_spaces[2].read_writes: unknown key; the nearest known key "
         "is "
         "'read_write'"},
        {"read_write: true", "read_write: maybe",
         "p.yaml:14: problem.shape.data_spaces[2].read_write: 'maybe' is not right here; needs "
         "true or "
         "false"},
        {"dimensions: [M, N, K]",
         "dimensions: [M, N, K]\n    flatten: [{name: X, dimensions: [M]}]",
         "p.yaml:7: problem.shape.flatten: flattening is not modelled"},
        {"K: 8}", "K: 8, densities: {A: 0.5}}",
         "p.yaml:15: problem.instance.densities.A: sparse data is not modelled; needs a density of "
         "1"},
        {"K: 8}", "K: 8, commonDensity: {distribution: fixed, density: 0.25}}",
         "p.yaml:15: problem.instance.commonDensity.density: sparse data is not modelled; needs a "
         "density "
         "of 1"},
        {"problem:\n", "sparse_optimizations: {targets: [{name: Buffer}]}\nproblem:\n",
         "p.yaml:2: sparse_optimizations: sparse optimizations are not modelled"},
        {"problem:", "mapping:",
         "p.yaml:2: problem: missing; needs a problem with shape and instance"},
        {"  instance: {M: 4, N: 6, K: 8}", "  instance: {M: 4, N: 6, K: 8, M: 4}",
         "p.yaml:15: 'M' stands twice in this map"},
        {"[M, N, K]", "[M, N, K", "p.yaml:7: this is not YAML: did not find expected ',' or ']'"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.to);
        CHECK(message(timeloop_case(replaced(kTimeloopProblem, row.from, row.to))) == row.wanted);
    }
    CHECK(
        message(timeloop_case("problem: {shape: my-shape, M: 4}")) ==
        "p.yaml:1: problem.shape: 'my-shape' is not right here; needs a shape with dimensions and "
        "data_spaces, or one of cnn_layer gemm_ABZ gemm");
    CHECK(message(timeloop_case("")) ==
          "p.yaml:1: problem: nothing is not right here; needs a problem "
          "with shape and instance");
}

TEST_CASE("timeloop: mistakes in an architecture") {
    const std::vector<Row> rows{
        {"entries: 64", "entries: -1",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes."
         "entries: '-1' is not right here; needs a whole number of at "
         "least 0"},
        {"entries: 64", "depth: 4, width: 12",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes.width: a width of 12 "
         "is no "
         "multiple of 8 word bits x cluster size 1"},
        {"read_bandwidth: 2", "read_bandwidth: 0",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes.read_bandwidth: '0' is "
         "not "
         "right here; needs a bandwidth above 0, in words per cycle"},
        {"entries: 64", "entries: 64, allow_overbooking: true",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes.allow_overbooking: "
         "'allow_overbooking' is not modelled; needs false or no such key"},
        {"entries: 64", "entries: 64, multiple_buffering: 0.5",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes.multiple_buffering: "
         "'0.5' is "
         "not right here; needs a number of at least 1"},
        {"entries: 64", "entries: 64, meshX: 3",
         "a.yaml:15: architecture.subtree[0].subtree[0].local[0].attributes.meshX: the number of "
         "instances, 1, is no multiple of it"},
        {"MACC[0..3]", "MACC[3..0]",
         "a.yaml:16: architecture.subtree[0].subtree[0].local[1].name: "
         "'MACC[3..0]' is not right here; needs a range like [0..15]"},
        {"MACC[0..3]", "MACC[4]",
         "a.yaml:16: architecture.subtree[0].subtree[0].local[1].name: "
         "'MACC[4]' is not right here; needs a name like PE or PE[0..15]"},
        {"class: intmac", "class: wire",
         "a.yaml:3: architecture: no units; their class contains one of "
         "mac compute"},
        {"      - name: Buffer",
         "      - sparse_optimizations: {action_optimization: []}\n        name: "
         "Buffer",
         "a.yaml:13: architecture.subtree[0].subtree[0].local[0].sparse_optimizations: sparse "
         "optimizations are not modelled"},
        {"subtree:\n  - name: system", "subtree:\n  - name: other\n  - name: system",
         "a.yaml:5: architecture.subtree: a list is not right here; needs a list of one node; "
         "Timeloop "
         "knows one way inwards"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.to);
        const auto read =
            timeloop_case(kTimeloopProblem, replaced(kTimeloopArchitecture, row.from, row.to));
        CHECK(message(read) == row.wanted);
    }
}

TEST_CASE("timeloop: mistakes in a mapping") {
    const std::vector<Row> rows{
        {"target: DRAM", "target: Dram",
         "m.yaml:3: mapping[0].target: there is no storage level 'Dram'; needs one of DRAM Buffer"},
        {"target: DRAM", "target: 2",
         "m.yaml:3: mapping[0].target: there is no storage level '2'; needs one of DRAM Buffer"},
        {"target: DRAM", "target: MACC",
         "m.yaml:3: mapping[0].target: there is no storage level 'MACC'; needs one of DRAM Buffer"},
        {"type: temporal", "type: skew", "m.yaml:4: mapping[0].type: skew is not modelled"},
        {"type: temporal", "type: time",
         "m.yaml:4: mapping[0].type: 'time' is not right here; needs "
         "temporal, spatial, or bypass (also: datatype, dataspace)"},
        {"M=2 N=3 K=2", "M=2 Q=3 K=2",
         "m.yaml:5: mapping[0].factors: there is no dimension 'Q'; needs "
         "one of M N K"},
        {"M=2 N=3 K=2", "M=2 N=x K=2",
         "m.yaml:5: mapping[0].factors: 'N=x K=2' is not right here; needs "
         "factors like M=2 N=4,3"},
        {"M=2 N=3 K=2", "[M=2, N<=3]",
         "m.yaml:5: mapping[0].factors[1]: N<=3 is a constraint; a mapping "
         "needs N=..."},
        {"M=2 N=3 K=2", "M=2 N=3,4 K=2",
         "m.yaml:5: mapping[0].factors: N=3,4 needs a last bound from 1 to 3"},
        {"M=2 N=3 K=2", "M=2 N=99999999999999999999",
         "m.yaml:5: mapping[0].factors: 'N=99999999999999999999' is not right here; needs factors "
         "like "
         "M=2 N=4,3"},
        {"permutation: MNK", "permutation: MNX",
         "m.yaml:6: mapping[0].permutation: there is no dimension 'MNX'; needs one of M N K"},
        {"permutation: MNK", "permutation: MNM",
         "m.yaml:6: mapping[0].permutation: 'M' stands twice; needs each dimension once"},
        {"permutation: MNK", "permuation: MNK",
         "m.yaml:6: mapping[0].permuation: unknown key; the "
         "nearest known key is 'permutation'"},
        {"permutation: MNK", "no_reuse: [A]",
         "m.yaml:6: mapping[0].no_reuse: 'no_reuse' is not modelled"},
        {"permutation: MNK", "split: -1",
         "m.yaml:6: mapping[0].split: '-1' is not right here; needs a "
         "whole number of at least 0"},
        {"bypass: [B]", "bypass: [C]",
         "m.yaml:18: mapping[3].bypass: there is no data space 'C'; needs "
         "one of A B Z"},
        {"mapping:", "problem:",
         "m.yaml:2: mapping: missing; needs a list of directives, each with target "
         "and type"},
        {"- target: DRAM\n  type: temporal", "- DRAM\n- target: DRAM\n  type: temporal",
         "m.yaml:3: mapping[0]: 'DRAM' is not right here; needs a directive with target and type"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.to);
        const auto read = timeloop_case(kTimeloopProblem, kTimeloopArchitecture,
                                        replaced(kTimeloopMapping, row.from, row.to));
        CHECK(message(read) == row.wanted);
    }
}

TEST_CASE("timeloop: all mistakes of a document, in its order") {
    const auto read = timeloop_case(kTimeloopProblem, kTimeloopArchitecture, R"(
mapping:
- {target: DRAM, type: temporal, factors: M=2 Q=3}
- {target: Bufer, type: temporal}
- {target: Buffer, type: bypass, keep: [A, Y]}
)");
    CHECK(
        message(read) ==
        "m.yaml:3: mapping[0].factors: there is no dimension 'Q'; needs one of M N K\n"
        "m.yaml:4: mapping[1].target: there is no storage level 'Bufer'; needs one of DRAM Buffer\n"
        "m.yaml:5: mapping[2].keep: there is no data space 'Y'; needs one of A B Z");
}

TEST_CASE("timeloop: a record keeps its id, whatever the rest") {
    const auto read =
        reference::read_timeloop_record(R"({"id": "x-1", "problem": 7})", "f.jsonl", 12);
    CHECK(read.id == "x-1");
    CHECK(message(read.input) ==
          "f.jsonl:12: problem: '7' is not right here; needs a problem with shape and instance");
    const auto broken = reference::read_timeloop_record(R"({"id": "x-2")", "f.jsonl", 13);
    CHECK(broken.id.empty());
    CHECK(message(broken.input) ==
          "f.jsonl:13: this is not YAML: did not find expected ',' or '}'");
}

TEST_CASE("timeloop: what timeloop-model refuses, we refuse for the same reason") {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
    REQUIRE(root != nullptr);
    const auto records =
        read_timeloop_records(std::string(root) + "/tests/data/timeloop/invalid.jsonl.gz");
    CHECK(records.size() == 98);
    for (const TimeloopRecord& record : records) {
        CAPTURE(record.id);
        CAPTURE(record.expected_error);
        std::string ours = record.refused;
        const auto& [workload, architecture, mapping] = record.input;
        if (ours.empty())
            if (const auto done = check_case(workload, architecture, mapping); !done)
                ours = done.error().what;
        if (ours.empty())
            if (const auto done = fits(workload, architecture, mapping); !done)
                ours = done.error().what;
        const auto says = [&](std::string_view text) {
            return record.expected_error.find(text) != std::string::npos;
        };
        const auto after = [&](std::string_view text) {
            const auto rest =
                record.expected_error.substr(record.expected_error.find(text) + text.size());
            return rest.substr(0, rest.find_first_of(" :,"));
        };
        CHECK(!ours.empty());
        if (says("storage level not found"))
            CHECK(ours.find("no storage level 'Scratchpad9'") != std::string::npos);
        else if (says("product of all factors"))
            CHECK(ours.find(after("of dimension ")) != std::string::npos);
        else if (says("exceeds buffer capacity"))
            CHECK(ours.find("'" + after("map level ") + "': the tiles need " + after("tile size ") +
                            " words") != std::string::npos);
        else
            CHECK((says("exceeds hardware instances") &&
                   ours.find("spatial loops") != std::string::npos));
    }
}

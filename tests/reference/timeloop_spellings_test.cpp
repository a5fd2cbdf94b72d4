// Spellings of Timeloop's files: each row says the same as the sample in another way.
// Not for what is refused: timeloop_mistakes_test.cpp.
// Run by the unit suite.
#include "tests/support/timeloop_sample.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace tests;

namespace {

struct Row {
    std::string_view what;
    std::string_view text;
};

const reference::Case& sample() {
    static const auto read = timeloop_case();
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
    return *read;
}

std::string problem_with(std::string_view shape_rest) {
    return "problem:\n  instance: {M: 4, N: 6, K: 8}\n  shape:\n    name: GEMM\n" +
           std::string(shape_rest);
}

/// The sample's architecture with other attributes of the buffer.
std::string buffer_with(std::string_view component) {
    return std::string(R"(
architecture:
  version: 0.3
  subtree:
  - name: system
    local: [{name: DRAM, class: DRAM, attributes: {word_bits: 8}}]
    subtree:
    - name: chip
      local:
      - {name: Buffer, )") +
           std::string(component) + "}\n      - {name: 'MACC[0..3]', class: intmac}\n";
}

std::string mapping_with(std::string_view dram, std::string_view rest = "") {
    return "mapping:\n- {target: DRAM, type: temporal, " + std::string(dram) + "}\n" +
           (rest.empty() ? std::string(R"(
- {target: Buffer, type: temporal, factors: M=2 N=2, permutation: KNM}
- {target: Buffer, type: spatial, factors: K=4, permutation: KNM}
- {target: Buffer, type: bypass, bypass: [B]}
)")
                         : std::string(rest));
}

}  // namespace

TEST_CASE("timeloop: the sample is what it says") {
    const auto& [workload, architecture, mapping] = sample();
    using Sizes = std::vector<reference::Dimension>;
    CHECK(workload.dimensions == Sizes{{"M", 4}, {"N", 6}, {"K", 8}});
    REQUIRE(workload.data_spaces.size() == 3);
    CHECK(workload.data_spaces[2].output);
    REQUIRE(architecture.levels.size() == 2);
    CHECK(architecture.levels[0] == reference::StorageLevel{.name = "DRAM", .word_bits = 8});
    CHECK(architecture.levels[1].capacity_words == 64);
    CHECK(architecture.compute == reference::ComputeUnits{"MACC", 4, {}});
    const reference::DimensionId m{0}, n{1}, k{2};
    using Loops = std::vector<reference::Loop>;
    CHECK(mapping.levels[0].temporal == Loops{{k, 2}, {n, 3}, {m, 2}});  // outermost first
    CHECK(mapping.levels[1].temporal == Loops{{m, 2}, {n, 2}});
    CHECK(mapping.levels[1].spatial == Loops{{k, 4}});
    CHECK(mapping.levels[1].spatial_y == 0);
    CHECK(mapping.levels[1].keep == std::vector<bool>{true, false, true});
}

TEST_CASE("timeloop: spellings of a problem") {
    const std::string spaces_as_letters = problem_with(R"(
    dimensions: [M, N, K]
    data-spaces:
    - {name: A, projection: [M, K]}
    - {name: B, projection: [K, N]}
    - {name: Z, projection: [M, N], read-write: True}
)");
    const std::string projection_as_text = problem_with(R"(
    dimensions: M, N, K
    data_spaces:
    - {name: A, projection: "M, K", read_write: false}
    - {name: B, projection: "[K], [N]"}
    - {name: Z, projection: "[ [M], [N] ]", read_write: 1}
)");
    const std::string block_style =
        R"({"problem": {"shape": {"name": "GEMM", "dimensions": ["M", "N",
"K"], "coefficients": [], "data_spaces": [{"name": "A", "projection": [[["M"]], [["K"]]]}, {"name": "B",
"projection": [[["K"]], [["N"]]]}, {"name": "Z", "projection": [[["M"]], [["N"]]], "read_write": true}]},
"instance": {"M": 4, "N": 6, "K": 8, "densities": {}}}})";
    const std::string content_only = R"(
shape:
  name: GEMM
  dimensions:
    - M
    - N
    - K
  data_spaces:
    - name: A
      projection:
        - [ [M] ]
        - [ [K] ]
    - name: B
      projection:
      -   -   - K
      -   -   - N
    - name: Z
      projection: [ [[M]], [[N]] ]
      read_write: yes
M: 4
N: 6
K: 8
)";
    const std::string expressions = R"(
variables: {size: 4, half: size / 2}
problem:
  shape: &gemm {name: GEMM, dimensions: [M, N, K], data_spaces: [{name: A, projection: [M, K]},
    {name: B, projection: [K, N]}, {name: Z, projection: [M, N], read_write: true}]}
  instance: {M: size, N: "half * 3", K: 2 ** 3, densities: {A: 1, B: {distribution: fixed, density: 1.0}}}
)";
    for (const std::string_view text : std::vector<std::string_view>{
             spaces_as_letters, projection_as_text, block_style, content_only, expressions}) {
        CAPTURE(text);
        const auto read = timeloop_case(text);
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        CHECK(read->workload == sample().workload);
    }
}

TEST_CASE("timeloop: spellings of a buffer") {
    const std::vector<Row> rows{
        {"entries",
         "class: SRAM, attributes: {entries: 64, word-bits: 8, read_bandwidth: 2, "
         "write_bandwidth: 2}"},
        {"keys on the component",
         "class: SRAM, entries: 64, word_bits: 8, read_bandwidth: 2.0, "
         "write-bandwidth: 2"},
        {"bandwidth of both", "class: SRAM, attributes: {entries: 64, datawidth: 8, bandwidth: 4}"},
        {"bandwidth with one of its own",
         "class: SRAM, attributes: {entries: 64, datawidth: 8, bandwidth: 4, read_bandwidth: 2}"},
        {"depth and block size",
         "class: smartbuffer_SRAM, attributes: {memory_depth: 16, block-size: "
         "4, word_width: 8, bandwidth: 4}"},
        {"depth and n_words",
         "class: SRAM, attributes: {depth: 8, n_words: 8, width: 64, datawidth: "
         "8, bandwidth: 4}"},
        {"depth and width",
         "class: SRAM, attributes: {depth: 16, width: 32, datawidth: 8, "
         "bandwidth: 4, n_banks: 2, num-ports: 2}"},
        {"depth, width and cluster size",
         "class: SRAM, attributes: {depth: 32, width: 64, "
         "cluster-size: 4, datawidth: 8, bandwidth: 4}"},
        {"depth and width of data",
         "class: storage, subclass: smartbuffer_metadata, attributes: {data_storage_depth: 16, "
         "data_storage_width: 32, datawidth: 8, metadata_storage_depth: 0, bandwidth: 4}"},
        {"depth alone", "class: regfile, attributes: {depth: 64, datawidth: 8, bandwidth: 4}"},
        {"sizeKB", "class: storage, attributes: {sizeKB: 0.0625, word_bits: 8, bandwidth: 4}"},
        {"subclass",
         "class: mine, subclass: reg_storage, attributes: {entries: 64, word_bits: 8, "
         "bandwidth: 4}"},
        {"buffering 1, empty switches",
         "class: SRAM, attributes: {entries: 64, word_bits: 8, bandwidth: 4, multiple-buffering: "
         "1.0, "
         "allow_overbooking: false, network_fill_latency: 0, shared_bandwidth: null}"},
        {"arithmetic",
         "class: SRAM, attributes: {depth: 4 * 4, width: datawidth * 4, datawidth: "
         "\"max(8, 4)\", bandwidth: 1e0 * (2 + 2)}"},
        {"unknown attributes",
         "class: SRAM, attributes: {entries: 64, word_bits: 8, bandwidth: 4, "
         "technology: 45nm, vector-access-energy: 1.5}, required_actions: [read]"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        const auto read = timeloop_case(kTimeloopProblem, buffer_with(row.text));
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        CHECK(read->architecture == sample().architecture);
    }
}

TEST_CASE("timeloop: sizes in words follow from bits") {
    const auto capacity = [](std::string_view attributes) {
        const auto read = timeloop_case(
            kTimeloopProblem,
            buffer_with("class: SRAM, attributes: {" + std::string(attributes) + "}"));
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        const auto& level = read->architecture.levels[1];
        return std::pair(level.capacity_words.value_or(-1), level.multiple_buffering);
    };
    using Pair = std::pair<std::int64_t, std::int64_t>;
    CHECK(capacity("sizeKB: 1") == Pair{512, 1});  // words of 16 bits unless said
    CHECK(capacity("sizeKB: 3, word_bits: 10") == Pair{2457, 1});
    CHECK(capacity("depth: 7, width: 24, datawidth: 24") == Pair{7, 1});
    CHECK(capacity("entries: 23, multiple_buffering: 2") == Pair{23, 2});
    CHECK(capacity("entries: 23, multiple_buffering: 1.5") == Pair{15, 1});
    CHECK(capacity("datawidth: 8") == Pair{-1, 1});  // unlimited
    CHECK(capacity("entries: 0, depth: 0, width: 17") == Pair{0, 1});
    CHECK(capacity("depth: 1, width: 0") == Pair{0, 1});  // a fanout of the front end
}

TEST_CASE("timeloop: ranges and meshes give instances") {
    const auto read = timeloop_case(kTimeloopProblem, R"(
architecture:
  version: 0.3
  variables: {}
  subtree:
  - name: system
    local: [{name: DRAM, class: DRAM}]
    subtree:
    - name: eyeriss[0..0]
      local:
      - {name: glb, class: smartbuffer_SRAM, attributes: {memory_depth: 4, instances: 1}}
      - {name: wire, class: wire}
      - {name: "Dummy[0..13]", class: regfile, attributes: {depth: 16, meshX: 14}}
      subtree:
      - name: PE[0..167]
        local:
        - {name: Buffer, class: regfile, attributes: {depth: 64, mesh-X: 14, meshY: 12}}
        - {name: "lanes[1..2]", class: storage, attributes: {meshY: 12}}
        - {name: "mac[0..1]", class: fpmac, attributes: {meshX: 28}}
)",
                                    "mapping: [{target: DRAM, type: temporal, factors: M0 N0 K0}]");
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
    const auto& [levels, compute] = read->architecture;
    REQUIRE(levels.size() == 5);
    std::vector<std::pair<std::int64_t, std::int64_t>> meshes;
    for (const auto& level : levels)
        meshes.emplace_back(level.instances, level.mesh_x.value_or(-1));
    CHECK(meshes == decltype(meshes){{1, -1}, {1, -1}, {14, 14}, {168, 14}, {336, 28}});
    CHECK(compute == reference::ComputeUnits{"mac", 336, 28});
    CHECK(levels[2].name == "Dummy");
}

TEST_CASE("timeloop: the flat old style is the same chip") {
    const auto read = timeloop_case(kTimeloopProblem, R"(
arch:
  arithmetic: {name: MACC, instances: 4, word-bits: 8}
  storage:
  - {name: Buffer, entries: 64, instances: 1, word-bits: 8, bandwidth: 4}
  - {name: DRAM, technology: DRAM, instances: 1, word-bits: 8}
)");
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
    CHECK(read->architecture == sample().architecture);
}

TEST_CASE("timeloop: spellings of a mapping") {
    const std::string letters = mapping_with("factors: M2 N3 K2, permutation: MNK");
    const std::string commas = mapping_with("factors: 'M=2,N=3,K=2', permutation: 'M,N,K'");
    const std::string blanks = mapping_with("factors: '  M = 2   N=3 K 2 ', permutation: M N K");
    const std::string tight = mapping_with("factors: M2N3K2, permutation: [MN, K]");
    const std::string list = mapping_with("factors: [M=2, N3, K=2], permutation: [M, N, K]");
    const std::string map = mapping_with("factors: {M: 2, N: 3, K: 2}, permutation: [M, N, K]");
    const std::string comment = mapping_with("factors: 'M=2 N=3 K=2 #K=4', permutation: MNK");
    const std::string order = mapping_with("factors: K=2 N=3 M=2");  // dimensions, innermost first
    const std::string outer = mapping_with("factors: K=2 N=3 M=2, permutation: MN");
    const std::string last = mapping_with("factors: 'M=2,2 N=3,3 K=2', permutation: MNK");
    const std::string twice = mapping_with("factors: M=4 K=8, permutation: KNM") +
                              "- {target: DRAM, type: temporal, factors: M=2 N=3 K=2, "
                              "permutation: MNK}\n";  // the last one counts, all of it
    const std::string numbers = R"(
- {target: 1, type: temporal, factors: M=2 N=3 K=2, permutation: MNK}
- {target: 0, type: temporal, factors: N2 M2, permutation: KNM}
- {target: "0", type: spatial, factors: K4}
- {target: 0, type: datatype, bypass: [B]}
)";
    const std::string ranges = mapping_with("factors: M=2 N=3 K=2, permutation: MNK", R"(
- {target: "Buffer[0..0]", type: temporal, factors: [M=2, N=2], permutation: KNM}
- {target: "Buffer[0..0]", type: spatial, factors: [K=4], permutation: KNM, split: 3}
- {target: Buffer, type: dataspace, keep: [A, Z], bypass: B}
- {target: MACC, type: temporal, factors: M=1}
)");
    const std::string bypass_twice = mapping_with("factors: M=2 N=3 K=2, permutation: MNK", R"(
- {target: Buffer, type: temporal, factors: M=2 N=2, permutation: KNM, no_reuse: []}
- {target: Buffer, type: spatial, factors: K=4, permutation: KNM, no_link_transfer: []}
- {target: Buffer, type: bypass, bypass: ["*"]}
- {target: Buffer, type: datatype, keep: [A, Z]}
)");
    for (const std::string* text :
         {&letters, &commas, &blanks, &tight, &list, &map, &comment, &order, &outer, &last, &twice,
          &numbers, &ranges, &bypass_twice}) {
        CAPTURE(*text);
        const auto read = timeloop_case(kTimeloopProblem, kTimeloopArchitecture, *text);
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        CHECK(read->mapping == sample().mapping);
    }
}

TEST_CASE("timeloop: zero is the whole dimension, a comma the last bound") {
    const auto loops = [](std::string_view factors) {
        const auto read = timeloop_case(kTimeloopProblem, kTimeloopArchitecture,
                                        mapping_with("factors: '" + std::string(factors) + "'"));
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        return read->mapping.levels[0].temporal;
    };
    using Loops = std::vector<reference::Loop>;
    const reference::DimensionId m{0}, n{1};
    CHECK(loops("N=0 M=1") == Loops{{n, 6}});
    CHECK(loops("N=4,3 M=2,1") == Loops{{n, 4, 3}, {m, 2, 1}});
    CHECK(loops("N=4,3,M=2") == Loops{{n, 4, 3}, {m, 2}});
    CHECK(loops("") == Loops{});
}

TEST_CASE("timeloop: the split of a permutation") {
    const auto along = [](std::string_view rest) {
        const auto read =
            timeloop_case(kTimeloopProblem, kTimeloopArchitecture,
                          mapping_with("factors: M=1", "- {target: Buffer, type: spatial, " +
                                                           std::string(rest) + "}\n"));
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        const auto& level = read->mapping.levels[1];
        std::string text;
        for (const auto& loop : level.spatial)
            text += read->workload.dimensions[index(loop.dimension)].name;
        return text + std::to_string(level.spatial_y);
    };
    CHECK(along("factors: M=2 N=2 K=2, permutation: KNM") == "MNK0");
    CHECK(along("factors: M=2 N=2 K=2, permutation: KNM, split: 0") == "MNK3");
    CHECK(along("factors: M=2 N=2 K=2, permutation: KNM, split: 1") == "MNK2");
    CHECK(along("factors: M=2 N=1 K=2, permutation: KNM, split: 1") == "MK1");
    CHECK(along("factors: M=2 N=1 K=2, permutation: KNM, split: 2") == "MK1");
    CHECK(along("factors: M=2 N=2 K=2, permutation: KNM, split: 9") == "MNK0");
    // What is not named comes outside: M, then N.
    CHECK(along("factors: M=2 N=2 K=2, permutation: K, split: 2") == "NMK1");
}

TEST_CASE("timeloop: names of several letters") {
    const auto read = timeloop_case(R"(
problem:
  shape:
    name: long
    dimensions: [row, col, K1]
    data_spaces:
    - {name: A, projection: [row, K1]}
    - {name: B, projection: [[[K1]], [[col]]]}
    - {name: Z, projection: "row, col", read_write: true}
  instance: {row: 4, col: 6, K1: 8}
)",
                                    kTimeloopArchitecture, R"(
mapping:
- {target: DRAM, type: temporal, factors: row=2 col=3 K1=2, permutation: "row col K1"}
- {target: Buffer, type: temporal, factors: [row=2, col=2], permutation: [K1, col, row]}
- {target: Buffer, type: spatial, factors: "K1=4"}
- {target: Buffer, type: bypass, bypass: [B]}
)");
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
    CHECK(read->mapping == sample().mapping);
}

TEST_CASE("timeloop: convolutions, coefficients and presets") {
    const auto window = [](std::string_view problem) {
        const auto read = reference::read_timeloop_problem({problem, "p"});
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        std::string text;
        for (const auto& space : read->data_spaces) {
            text += space.name + ":";
            for (const auto& rank : space.ranks) {
                for (const auto& term : rank)
                    text += " " + std::to_string(term.coefficient) +
                            read->dimensions[index(term.dimension)].name;
                text += ";";
            }
        }
        return text;
    };
    const std::string_view wanted = "W: 1R;I: 2P; 2P 3R;O: 1P;";
    CHECK(window(R"(
shape:
  dimensions: [P, R]
  coefficients: [{name: stride, default: 2}, {name: dilation, default: 1}]
  data_spaces:
  - {name: W, projection: [[[R]]]}
  - {name: I, projection: [[[P, stride]], [[P, stride], [R, dilation]]]}
  - {name: O, projection: [P], read_write: true}
instance: {P: 8, R: 3, dilation: 3}
)") == wanted);
    CHECK(window(R"(
shape:
  dimensions: [P, R]
  coefficients: {stride: 1, dilation: 1}
  data_spaces:
  - {name: W, projection: R}
  - {name: I, projection: [P*stride, stride*P + 3*R]}
  - {name: O, projection: [[[P]]], read_write: true}
instance: {P: 8, R: 3, dilation: 3, stride: 2}
)") == wanted);
    const std::string_view preset =
        "Weights: 1C; 1K; 1R; 1S;Inputs: 1N; 1C; 1R 2P; 1S 1Q;Outputs: 1N; "
        "1K; 1Q; 1P;";
    CHECK(
        window(
            "problem: {shape: cnn-layer, R: 3, S: 3, P: 4, Q: 4, C: 2, K: 2, N: 1, Wstride: 2}") ==
        preset);
    CHECK(
        window("problem: {shape: cnn_layer.yaml, instance: {R: 3, S: 3, P: 4, Q: 4, C: 2, K: 2, N: "
               "1, Wstride: 2, H: 9}}") == preset);
    CHECK(window("{R: 3, S: 3, P: 4, Q: 4, C: 2, K: 2, N: 1, Wstride: 2}") == preset);
    CHECK(window("problem: {shape: gemm-ABZ, instance: {M: 1, N: 2, K: 3}}") ==
          "A: 1M; 1K;B: 1N; 1K;Z: 1M; 1N;");
}

TEST_CASE("timeloop: a coefficient may have as many digits as 2^63-1") {
    for (const std::string_view digits : {"1000000000000000000", "9223372036854775807"}) {
        const std::string text =
            "shape:\n  dimensions: [P]\n  data_spaces:\n  - {name: I, projection: [[[P, " +
            std::string(digits) +
            "]]]}\n  - {name: O, projection: [P], read_write: true}\n"
            "instance: {P: 2}\n";
        const auto read = reference::read_timeloop_problem({text, "p"});
        REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
        CHECK(std::to_string(read->data_spaces[0].ranks[0][0].coefficient) == digits);
    }
}

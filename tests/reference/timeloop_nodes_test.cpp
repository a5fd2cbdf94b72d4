// The 0.4 style with `nodes`: containers, fanouts, branches, constraints, inheritance.
// Not for spellings that all styles share: timeloop_spellings_test.cpp.
// Run by the unit suite.
#include "reference/tiles.hpp"
#include "tests/support/timeloop_sample.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace tests;

namespace {

constexpr std::string_view kConvolution = R"(
problem:
  version: 0.4
  shape:
    name: conv2D
    dimensions: [C, M, R, S, N, P, Q]
    coefficients:
    - {name: Wstride, default: 1}
    - {name: Hstride, default: 1}
    - {name: Wdilation, default: 1}
    - {name: Hdilation, default: 1}
    data_spaces:
    - name: Weights
      projection: [[[C]], [[M]], [[R]], [[S]]]
    - name: Inputs
      projection: [[[N]], [[C]], [[R, Wdilation], [P, Wstride]], [[S, Hdilation], [Q, Hstride]]]
    - name: Outputs
      projection: [[[N]], [[M]], [[Q]], [[P]]]
      read_write: true
  instance: {C: 64, M: 256, R: 3, S: 3, N: 1, P: 56, Q: 56, H: 58, W: 58, Hpad: 1, Wpad: 1}
)";

/// As people write an Eyeriss-like chip for the front end.
constexpr std::string_view kNodes = R"(
variables: {version: 0.4, columns: 14, technology: "45nm"}
architecture:
  version: 0.4
  nodes: # Top-level is hierarchical
  - !Container # Top-level system
    name: system
    attributes: {technology: technology, datawidth: 8, multiple_buffering: 2}
  - !Component # DRAM main memory
    name: DRAM
    class: DRAM
    attributes: {type: "LPDDR4", width: 64, block_size: 8}
  - !Container
    name: eyeriss
  - !Component # Global buffer for inputs & outputs
    name: shared_glb
    class: smartbuffer_SRAM
    attributes: {memory_depth: 16384, memory_width: 64, n_banks: 32, read_bandwidth: 16,
      write_bandwidth: 16}
    constraints:
      dataspace: {keep: [Inputs, Outputs], bypass: [Weights]}
  - !Container # Each column of PEs produces a different psum row
    name: PE_column
    spatial: {meshX: columns}
    constraints:
      spatial: {permutation: [N, C, P, R, S, Q, M], factors: [N=1, C=1, P=1, R=1, S=1], split: 7}
  - !Container
    name: PE
    spatial: {meshY: 3 * 4}
    constraints:
      spatial: {split: 4, permutation: [N, P, Q, R, S, C, M], factors: [N=1, P=1, Q=1, R=1, M<=8]}
  - !Parallel
    nodes:
    - !Component
      name: ifmap_spad
      class: smartbuffer_RF
      attributes: {memory_depth: 12, memory_width: 16, block_size: 2}
      required_actions: [read, write]
      constraints:
        dataspace: {keep: [Inputs]}
        temporal: {permutation: [N, M, C, P, Q, R, S], factors_only: []}
    - !Component
      name: weights_spad
      class: smartbuffer_RF
      attributes: {memory_depth: 192, memory_width: 16}
      constraints:
        dataspace: {keep: [Weights]}
        temporal: {permutation: [N, M, P, Q, S, C, R], factors: [N=1, M=1, P=1, Q=1, S=1]}
    - !Hierarchical
      nodes:
      - !Component
        name: psum_spad
        class: storage
        subclass: smartbuffer_RF
        attributes: {memory_depth: 16, block_size: 1, datawidth: 16}
        constraints:
          dataspace: {keep_only: [Outputs]}
          temporal: {permutation: [N, C, P, Q, R, S, M], factors: [N=1, C=1, R=1, S=1, P=1, Q=1]}
    - !Nothing
  - !Component # MAC unit
    name: mac
    class: intmac
    attributes: {multiplier_width: 8, adder_width: 16}
)";

constexpr std::string_view kNodesMapping = R"(
mapping:
- {target: DRAM, type: temporal, factors: [C=4, M=4, P=7, Q=4], permutation: [M, P, C, Q, R, S, N]}
- {target: shared_glb, type: temporal, factors: [C=2, M=8, P=8], permutation: [P, C, M]}
- {target: PE_column, type: spatial, factors: [Q=14]}
- {target: PE, type: spatial, factors: [S=3, M=4]}
- {target: weights_spad, type: temporal, factors: [C=8, R=3]}
- {target: psum_spad, type: temporal, factors: [M=2]}
)";

/// The same as the front end hands it to Timeloop: one `local` list, totals in meshX and meshY.
constexpr std::string_view kFlattened = R"(
architecture:
  version: '0.4'
  subtree:
  - name: system_top_level
    attributes: {version: '0.4', technology: "45nm"}
    local:
    - {name: "DRAM[1..1]", class: DRAM, attributes: {type: LPDDR4, width: 64, block_size: 8, datawidth: 8,
       n_banks: 2, cluster_size: 1, multiple_buffering: 1, min_utilization: 0, meshX: 1, meshY: 1}}
    - {name: "shared_glb[1..1]", class: smartbuffer_SRAM, attributes: {depth: 16384, width: 64, datawidth: 8,
       read_bandwidth: 16, write_bandwidth: 16, cluster_size: 1, meshX: 1, meshY: 1}, enabled: true}
    - {name: "inter_PE_column_spatial[1..1]", class: dummy_storage, attributes: {width: 1, depth: 1,
       datawidth: 1, technology: -1, meshX: 1, meshY: 1}}
    - {name: "inter_PE_spatial[1..14]", class: dummy_storage, attributes: {width: 1, depth: 1,
       datawidth: 1, technology: -1, meshX: 14, meshY: 1}}
    - {name: "ifmap_spad[1..168]", class: smartbuffer_RF, attributes: {depth: 12, width: 16, block_size: 2,
       datawidth: 8, meshX: 14, meshY: 12}}
    - {name: "weights_spad[1..168]", class: smartbuffer_RF, attributes: {depth: 192, width: 16,
       datawidth: 8, cluster_size: 1, meshX: 14, meshY: 12}}
    - {name: "psum_spad[1..168]", class: storage, attributes: {depth: 16, block_size: 1, datawidth: 16,
       meshX: 14, meshY: 12}}
    - {name: "mac[1..168]", class: intmac, attributes: {meshX: 14, meshY: 12, datawidth: 8}}
)";

constexpr std::string_view kFlattenedMapping = R"(
mapping:
- {target: DRAM, type: temporal, factors: "C=4,M=4,P=7,Q=4", permutation: MPCQRSN}
- {target: shared_glb, type: temporal, factors: "C=2,M=8,P=8", permutation: PCM}
- {keep: [Inputs, Outputs], bypass: [Weights], type: bypass, target: shared_glb}
- {type: spatial, target: inter_PE_column_spatial, factors: "N=1,C=1,P=1,R=1,S=1,Q=14", permutation: NCPRSQM,
   split: 7}
- {factors: "C=1,M=1,R=1,S=1,N=1,P=1,Q=1", permutation: CMRSNPQ, type: temporal,
   target: inter_PE_column_spatial}
- {bypass: [Weights, Inputs, Outputs], type: bypass, target: inter_PE_column_spatial}
- {type: spatial, target: inter_PE_spatial, factors: "S=3,M=4", permutation: NPQRSCM, split: 4}
- {bypass: [Weights, Inputs, Outputs], type: bypass, target: inter_PE_spatial}
- {keep: [Inputs], bypass: [Weights, Outputs], type: bypass, target: ifmap_spad}
- {keep: [Weights], bypass: [Inputs, Outputs], type: bypass, target: weights_spad}
- {target: weights_spad, type: temporal, factors: "C=8,R=3", permutation: NMPQSCR}
- {keep: [Outputs], bypass: [Inputs, Weights], type: bypass, target: psum_spad}
- {target: psum_spad, type: temporal, factors: "M=2", permutation: NCPQRSM}
)";

reference::Case read(std::string_view architecture, std::string_view mapping) {
    const auto out = timeloop_case(kConvolution, architecture, mapping);
    REQUIRE_MESSAGE(out.has_value(), (out ? "" : out.error().what));
    return *out;
}

}  // namespace

TEST_CASE("timeloop: nodes are the same as what the front end makes of them") {
    const reference::Case nodes = read(kNodes, kNodesMapping);
    const reference::Case flattened = read(kFlattened, kFlattenedMapping);
    CHECK(nodes.mapping == flattened.mapping);
    REQUIRE(nodes.architecture.levels.size() == 7);
    for (std::size_t i = 0; i < 7; ++i) {
        CAPTURE(nodes.architecture.levels[i].name);
        CHECK(nodes.architecture.levels[i] == flattened.architecture.levels[i]);
    }
    CHECK(nodes.architecture.compute == flattened.architecture.compute);
    CHECK(check_case(nodes.workload, nodes.architecture, nodes.mapping).has_value());
    CHECK(fits(nodes.workload, nodes.architecture, nodes.mapping).has_value());
}

TEST_CASE("timeloop: one text, three texts, and a mapping without constraints") {
    const std::string all =
        std::string(kConvolution) + std::string(kNodes) + std::string(kNodesMapping);
    const reference::TimeloopText text{all, "all.yaml"};
    const auto one = read_timeloop_case(text, text, text);
    REQUIRE_MESSAGE(one.has_value(), (one ? "" : one.error().what));
    CHECK(*one == read(kNodes, kNodesMapping));
    const auto workload = reference::read_timeloop_problem(text);
    const auto architecture = reference::read_timeloop_architecture(text);
    REQUIRE((workload.has_value() && architecture.has_value()));
    CHECK(*workload == one->workload);
    CHECK(*architecture == one->architecture);
    const auto with = reference::read_timeloop_mapping(text, *workload, *architecture);
    REQUIRE(with.has_value());
    CHECK(*with == one->mapping);
    // Alone, it does not know the constraints; fanouts hold nothing all the same.
    const auto without =
        reference::read_timeloop_mapping({kNodesMapping, "m.yaml"}, *workload, *architecture);
    REQUIRE(without.has_value());
    CHECK(without->levels[1].keep == std::vector<bool>{true, true, true});
    CHECK(without->levels[2].keep == std::vector<bool>{false, false, false});
}

TEST_CASE("timeloop: a mapping may be all constraints") {
    std::string nodes(kNodes);
    const auto replace = [&](std::string_view from, std::string_view to) {
        nodes.replace(nodes.find(from), from.size(), to);
    };
    replace("width: 64, block_size: 8}", R"(width: 64, block_size: 8}
    constraints: {temporal: {factors: C=4 M=4 P=7 Q=4, permutation: [M, P, C, Q, R, S, N]}})");
    replace("bypass: [Weights]}", R"(bypass: [Weights]}
      temporal: {factors: [C=2, M=8, P=8], permutation: [P, C, M]})");
    replace("R=1, S=1], split: 7", "R=1, S=1, Q=14], split: 7");
    replace("R=1, M<=8]", "R=1, S=3, M=4]");
    replace("factors: [N=1, M=1, P=1, Q=1, S=1]", "factors: [N=1, M=1, P=1, Q=1, S=1, C=8, R=3]");
    replace("S=1, P=1, Q=1]}\n    - !Nothing", "S=1, P=1, Q=1, M=2]}\n    - !Nothing");
    CHECK(read(nodes, "mapping: []") == read(kNodes, kNodesMapping));
    CHECK(read(nodes, "mapping:") == read(kNodes, kNodesMapping));
}

TEST_CASE("timeloop: spatial loops of a level right around one fanout are the fanout's") {
    static constexpr std::string_view kChip = R"(
architecture:
  nodes:
  - !Component {name: DRAM, class: DRAM, attributes: {datawidth: 8}}
  - !Component {name: PE, class: SRAM, spatial: {meshX: 4, meshY: 2}, attributes: {depth: 64, datawidth: 8}}
  - !Component {name: lanes, class: compute, spatial: {meshX: 2}}
)";
    const auto levels_of = [](std::string_view mapping) {
        const auto out = timeloop_case(kTimeloopProblem, kChip, mapping);
        REQUIRE_MESSAGE(out.has_value(), (out ? "" : out.error().what));
        std::vector<std::string> names;
        for (const auto& level : out->architecture.levels) names.push_back(level.name);
        CHECK(names ==
              std::vector<std::string>{"DRAM", "inter_PE_spatial", "PE", "inter_lanes_spatial"});
        CHECK(out->architecture.levels[1].instances == 1);
        CHECK(out->architecture.levels[2].instances == 8);
        CHECK(out->architecture.levels[2].mesh_x == 4);
        CHECK(out->architecture.compute == reference::ComputeUnits{"lanes", 16, 8});
        return out->mapping.levels;
    };
    const auto by_node = levels_of(R"(
mapping:
- {target: PE, type: spatial, factors: M=4 N=2, permutation: MN, split: 1}
- {target: lanes, type: spatial, factors: K=2}
- {target: PE, type: temporal, factors: K=4 N=3}
- {target: PE, type: dataspace, bypass: [A]}
)");
    CHECK(by_node[1].spatial.size() == 2);
    CHECK(by_node[1].spatial_y == 1);
    CHECK(by_node[1].temporal.empty());
    CHECK(by_node[2].temporal.size() == 2);
    CHECK(by_node[2].keep == std::vector<bool>{false, true, true});
    CHECK(by_node[3].spatial.size() == 1);
    CHECK(by_node == levels_of(R"(
mapping:
- {target: DRAM, type: spatial, factors: M=4 N=2, permutation: MN, split: 1}
- {target: inter_lanes_spatial, type: spatial, factors: K=2}
- {target: PE, type: temporal, factors: K=4 N=3}
- {target: PE, type: dataspace, bypass: [A]}
)"));
}

TEST_CASE("timeloop: what one branch keeps by name, the others bypass") {
    constexpr std::string_view kBranches = R"(
architecture:
  nodes:
  - !Component {name: DRAM, class: DRAM, attributes: {datawidth: 8}}
  - !Parallel
    nodes:
    - !Hierarchical
      nodes:
      - !Component {name: Outer, class: SRAM, constraints: {dataspace: {keep: [A]}}}
      - !Component {name: Inner, class: SRAM, constraints: {dataspace: {bypass: [A]}}}
    - !Component {name: Other, class: SRAM}
    - !Nothing {constraints: {dataspace: {keep: [B]}}}
  - !Component {name: MACC, class: mac}
)";
    const auto kept = [&](std::string_view directives) {
        const auto out =
            timeloop_case(kTimeloopProblem, kBranches, "mapping:\n" + std::string(directives));
        REQUIRE_MESSAGE(out.has_value(), (out ? "" : out.error().what));
        std::string text;
        for (std::size_t i = 1; i < out->mapping.levels.size(); ++i) {
            text += " " + out->architecture.levels[i].name + ":";
            for (std::size_t d = 0; d < 3; ++d)
                if (out->mapping.levels[i].keep[d]) text += out->workload.data_spaces[d].name;
        }
        return text;
    };
    // B is in no level; of Z nobody says anything, so that all keep it.
    CHECK(kept("- {target: DRAM, type: temporal}") == " Outer:AZ Inner:Z Other:Z");
    CHECK(kept("- {target: Other, type: dataspace, keep: [Z]}") == " Outer:A Inner: Other:Z");
    CHECK(kept("- {target: Inner, type: dataspace, keep: [A], bypass: [Z]}") ==
          " Outer:AZ Inner:A Other:Z");
}

TEST_CASE("timeloop: mistakes in nodes") {
    const auto message = [](std::string_view nodes) {
        const auto out = timeloop_case(
            kTimeloopProblem, "architecture:\n  nodes:\n" + std::string(nodes), "mapping: []");
        return out ? "" : out.error().what;
    };
    CHECK(message("  - !Box {name: DRAM}\n") ==
          "a.yaml:3: architecture.nodes[0]: '!Box' is no kind of node; needs one of !Component "
          "!Container !Parallel !Hierarchical !Pipelined !Nothing");
    CHECK(message("  - !Component {name: DRAM, class: DRAM}\n") ==
          "a.yaml:2: architecture: no units; their class contains one of mac compute");
    CHECK(message("  - !Component {name: D, class: DRAM}\n  - !Parallel\n    nodes:\n"
                  "    - !Component {name: E, class: SRAM, spatial: {meshX: 2}}\n") ==
          "a.yaml:6: architecture.nodes[1].nodes[0].spatial: a fanout below !Parallel; Timeloop "
          "knows "
          "none");
    CHECK(message("  - !Component {name: D, class: DRAM, spatial: {meshX: 0}}\n") ==
          "a.yaml:3: architecture.nodes[0].spatial.meshX: '0' is not right here; needs a whole "
          "number of "
          "at least 1");
    CHECK(message("  - !Component {name: D, class: DRAM, attributes: {depth: '{{depth}}'}}\n") ==
          "a.yaml:3: architecture.nodes[0].attributes.depth: '{{depth}}' is a template; needs its "
          "value");
    CHECK(message("  - !Component {name: D, class: DRAM, attributes: {datawidth: 8}, constraints: "
                  "{temporal: {no_reuse: [A]}}}\n  - !Component {name: m, class: mac}\n") ==
          "a.yaml:3: architecture.nodes[0].constraints.temporal.no_reuse: 'no_reuse' is not "
          "modelled");
}

// Runs of Timeloop's exercises with `nodes`: our reader and closed form against the published
// numbers. Not for other styles: the golden records cover them. Run by the unit suite. Numbers:
// timeloop-accelergy-exercises, ref-output of 04 (kp) and 06, made in 2024.
#include "reference/evaluate.hpp"
#include "reference/timeloop_yaml.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

/// "level: NAME tile partition reads fills updates, ...", without levels that hold nothing.
std::vector<std::string> counted(std::string_view text, reference::Semantics semantics) {
    const reference::TimeloopText one{text, "f"};
    const auto read = read_timeloop_case(one, one, one);
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().what));
    const auto traffic = evaluate(read->workload, read->architecture, read->mapping, semantics);
    REQUIRE_MESSAGE(traffic.has_value(), (traffic ? "" : traffic.error().what));
    std::vector<std::string> out;
    for (const auto& level : traffic->levels) {
        std::string line;
        for (std::size_t d = 0; d < level.movements.size(); ++d)
            if (const auto& m = level.movements[d])
                line +=
                    fmt::format(" {} {} {} {} {} {}", read->workload.data_spaces[d].name[0],
                                m->tile_words, m->partition_words, m->reads, m->fills, m->updates);
        if (!line.empty())
            out.push_back(fmt::format("{} x{}:{}", level.name, level.instances, line));
    }
    out.push_back(fmt::format("cycles {}", traffic->cycles));
    return out;
}

constexpr std::string_view kSpatial = R"(
architecture:
  version: 0.4
  nodes:
  - !Container
    name: System
    attributes: {technology: "40nm", global_cycle_seconds: 1e-9}
  - !Component
    name: MainMemory
    class: DRAM
    attributes: {width: 256, datawidth: 8}
  - !Container
    name: PE
    spatial: {meshX: 16}
  - !Component
    name: GlobalBuffer
    class: SRAM
    attributes: {depth: 32768, width: 64, datawidth: 8}
  - !Component
    name: RegisterFile
    class: regfile
    attributes: {depth: 64, width: 8, datawidth: 8}
  - !Component
    name: MACC
    class: intmac
    attributes: {datawidth: 8}
problem:
  version: 0.4
  shape:
    name: Conv1D_OC
    dimensions: [C, K, R, P]
    data_spaces:
    - {name: Weights, projection: [[[C]], [[K]], [[R]]]}
    - {name: Inputs, projection: [[[C]], [[R], [P]]]}
    - {name: Outputs, projection: [[[K]], [[P]]], read_write: true}
  instance: {C: 32, K: 32, R: 3, P: 16}
mapping:
- {target: MainMemory, type: temporal, factors: [R=1, P=1, K=1, C=1], permutation: [P, R, K, C]}
- {target: PE, type: spatial, factors: [R=1, P=1, K=16, C=1], permutation: [P, R, K, C]}
- {target: GlobalBuffer, type: temporal, factors: [R=3, P=1, K=2, C=32], permutation: [P, R, K, C]}
- {target: RegisterFile, type: temporal, factors: [R=1, P=16, K=1, C=1], permutation: [R, P, K, C]}
)";

constexpr std::string_view kEyeriss = R"(
architecture:
  version: 0.4
  nodes:
  - !Container
    name: system
    attributes: {technology: "32nm", global_cycle_seconds: 1e-9}
  - !Component
    name: DRAM
    class: DRAM
    attributes: {type: "LPDDR4", width: 64, datawidth: 8}
  - !Container
    name: eyeriss
  - !Component
    name: shared_glb
    class: smartbuffer_SRAM
    attributes: {depth: 16384, width: 64, n_banks: 32, datawidth: 8, read_bandwidth: 16,
      write_bandwidth: 16}
    constraints:
      dataspace: {keep: [Inputs, Outputs], bypass: [Weights]}
  - !Container
    name: PE_column
    spatial: {meshX: 14}
    constraints:
      spatial: {permutation: [N, C, P, R, S, Q, M], factors: [N=1, C=1, P=1, R=1, S=1], split: 7}
  - !Container
    name: PE
    spatial: {meshY: 12}
    constraints:
      spatial: {split: 4, permutation: [N, P, Q, R, S, C, M], factors: [N=1, P=1, Q=1, R=1]}
  - !Parallel
    nodes:
    - !Component
      name: ifmap_spad
      class: smartbuffer_RF
      attributes: {depth: 12, width: 16, datawidth: 8, read_bandwidth: 2, write_bandwidth: 2}
      constraints: {dataspace: {keep: [Inputs]}}
    - !Component
      name: weights_spad
      class: smartbuffer_RF
      attributes: {depth: 192, width: 16, datawidth: 8, read_bandwidth: 2, write_bandwidth: 2}
      constraints: {dataspace: {keep: [Weights]}}
    - !Component
      name: psum_spad
      class: smartbuffer_RF
      attributes: {depth: 16, width: 16, datawidth: 16, read_bandwidth: 2, write_bandwidth: 2}
      constraints: {dataspace: {keep: [Outputs]}}
  - !Component
    name: mac
    class: intmac
    attributes: {multiplier_width: 8, adder_width: 16}
problem:
  version: 0.4
  shape:
    name: conv
    dimensions: [C, M, R, S, N, P, Q]
    coefficients:
    - {name: Wstride, default: 1}
    - {name: Hstride, default: 1}
    - {name: Wdilation, default: 1}
    - {name: Hdilation, default: 1}
    data_spaces:
    - {name: Weights, projection: [[[C]], [[M]], [[R]], [[S]]]}
    - {name: Inputs,
       projection: [[[N]], [[C]], [[R, Wdilation], [P, Wstride]], [[S, Hdilation], [Q, Hstride]]]}
    - {name: Outputs, projection: [[[N]], [[M]], [[Q]], [[P]]], read_write: true}
  instance: {C: 128, M: 256, R: 3, S: 3, N: 1, P: 56, Q: 56}
mapping:
- {target: psum_spad, type: datatype, keep: [Outputs], bypass: [Weights, Inputs]}
- {target: inter_PE_spatial, type: datatype, keep: [], bypass: [Weights, Inputs, Outputs]}
- {target: DRAM, type: datatype, keep: [Weights, Inputs, Outputs], bypass: []}
- {target: psum_spad, type: temporal, factors: C1 M8 R1 S1 N1 P1 Q1, permutation: MCRSNPQ}
- {target: weights_spad, type: temporal, factors: C8 M1 R3 S1 N1 P1 Q1, permutation: CRMSNPQ}
- {target: ifmap_spad, type: temporal, factors: C1 M1 R1 S1 N1 P1 Q1, permutation: CMRSNPQ}
- {target: inter_PE_spatial, type: spatial, factors: C1 M4 R1 S3 N1 P1 Q1, permutation: SMCRNPQ, split: 0}
- {target: inter_PE_spatial, type: temporal, factors: C1 M1 R1 S1 N1 P1 Q1, permutation: CMRSNPQ}
- {target: inter_PE_column_spatial, type: spatial, factors: C1 M1 R1 S1 N1 P1 Q14, permutation: QCMRSNP,
   split: 1}
- {target: shared_glb, type: temporal, factors: C4 M2 R1 S1 N1 P8 Q1, permutation: PCMRSNQ}
- {target: DRAM, type: temporal, factors: C4 M4 R1 S1 N1 P7 Q4, permutation: MPCQRSN}
)";

}  // namespace

TEST_CASE("timeloop: the published numbers of a convolution over 16 PEs") {
    CHECK(counted(kSpatial, reference::kTimeloop2024) ==
          std::vector<std::string>{
              "MainMemory x1: W 3072 3072 3072 0 0 I 576 576 576 0 0 O 512 512 0 0 512",
              "GlobalBuffer x16: W 192 192 192 192 0 I 576 576 1152 576 0 O 32 32 992 0 1024",
              "RegisterFile x16: W 1 192 3072 192 0 I 16 576 3072 1152 0 O 16 32 3040 992 3072",
              "cycles 3072"});
}

TEST_CASE("timeloop: the published numbers of an Eyeriss-like chip") {
    CHECK(counted(kEyeriss, reference::kTimeloop2024) ==
          std::vector<std::string>{
              "DRAM x1: W 294912 294912 8257536 0 0 I 430592 430592 573440 0 0 "
              "O 802816 802816 2408448 0 3211264",
              "shared_glb x1: I 5120 430592 12042240 573440 0 "
              "O 7168 802816 12042240 2408448 12845056",
              "ifmap_spad x168: I 24 26912 5505024 286720 0",
              "weights_spad x168: W 192 24576 5505024 688128 0",
              "psum_spad x168: O 8 14336 5490688 215040 5505024", "cycles 5505024"});
}

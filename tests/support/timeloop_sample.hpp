// Small Timeloop inputs in YAML that the tests of the reader start from.
// Does not read anything.
// Used by tests/reference/timeloop_*_test.cpp.
#pragma once

#include "reference/timeloop_yaml.hpp"

#include <string>
#include <string_view>

namespace tests {

/// GEMM 4 x 6 x 8.
inline constexpr std::string_view kTimeloopProblem = R"(
problem:
  version: 0.3
  shape:
    name: GEMM
    dimensions: [M, N, K]
    data_spaces:
    - name: A
      projection: [[[M]], [[K]]]
    - name: B
      projection: [[[K]], [[N]]]
    - name: Z
      projection: [[[M]], [[N]]]
      read_write: true
  instance: {M: 4, N: 6, K: 8}
)";

/// DRAM, a buffer of 64 words, and four units below it.
inline constexpr std::string_view kTimeloopArchitecture = R"(
architecture:
  version: 0.3
  subtree:
  - name: system
    local:
    - name: DRAM
      class: DRAM
      attributes: {word_bits: 8}
    subtree:
    - name: chip
      local:
      - name: Buffer
        class: SRAM
        attributes: {entries: 64, word_bits: 8, read_bandwidth: 2, write_bandwidth: 2}
      - name: MACC[0..3]
        class: intmac
)";

/// Times: K2 N3 M2 in DRAM, M2 N2 in the buffer; K over the units.
inline constexpr std::string_view kTimeloopMapping = R"(
mapping:
- target: DRAM
  type: temporal
  factors: M=2 N=3 K=2
  permutation: MNK
- target: Buffer
  type: temporal
  factors: M=2 N=2 K=1
  permutation: KNM
- target: Buffer
  type: spatial
  factors: M=1 N=1 K=4
  permutation: KNM
- target: Buffer
  type: bypass
  keep: [A, Z]
  bypass: [B]
)";

inline reference::Result<reference::Case> timeloop_case(
    std::string_view problem = kTimeloopProblem,
    std::string_view architecture = kTimeloopArchitecture,
    std::string_view mapping = kTimeloopMapping) {
    return reference::read_timeloop_case({problem, "p.yaml"}, {architecture, "a.yaml"},
                                         {mapping, "m.yaml"});
}

}  // namespace tests

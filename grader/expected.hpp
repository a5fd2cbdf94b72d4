// Expected numbers. Only the coordinator includes this header (tools/check_layers.py checks it):
// nothing that reaches a worker or a jail may name these types.
// Made by quantities.cpp, consumed by checkers.
#pragma once

#include "grader/tolerance.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct ExpectedQuantity {
    std::string name;        // "dram.reads.A"
    std::int64_t value = 0;  // words or cycles
    Tolerance tolerance;
    std::int64_t tile_words = 0;  // of the tile that moves, for hints; 0: none
};

/// All quantities of one case, sorted by name. Never empty.
using Expected = std::vector<ExpectedQuantity>;

}  // namespace grader

// Expected numbers. Only the coordinator includes this header (tools/check_layers.py checks it):
// nothing that reaches a worker or a jail may name these types.
// Made by quantities.cpp, consumed by checkers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct Tolerance {
    enum class Kind : std::uint8_t { exact, absolute, relative, either, sum };
    Kind kind = Kind::exact;
    double absolute = 0;
    double relative = 0;
    bool operator==(const Tolerance&) const = default;
};

struct ExpectedQuantity {
    std::string name;        // "dram.reads.A"
    std::int64_t value = 0;  // words or cycles
    Tolerance tolerance;
};

/// All quantities of one case, sorted by name. Never empty.
using Expected = std::vector<ExpectedQuantity>;

}  // namespace grader

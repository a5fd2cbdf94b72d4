// Records of tests/data/timeloop as inputs and results of ours.
// Does not cover all of Timeloop's input language: only what those records use.
// Used by tests/reference/golden_test.cpp.
#pragma once

#include "reference/traffic.hpp"
#include "tests/support/model_case.hpp"

#include <string>
#include <vector>

namespace tests {

struct TimeloopRecord {
    std::string id;
    std::string family;
    std::string arch_kind;
    ModelCase input;
    /// As printed. A level with a bandwidth shared by reads and writes, which our Architecture has
    /// not, is true in `shared`; its cycles cannot be compared.
    reference::Traffic expected;
    std::vector<bool> shared;
};

/// All records of a gzip'd file of JSON lines. Throws what nlohmann-json throws.
std::vector<TimeloopRecord> read_timeloop_records(const std::string& path);

}  // namespace tests

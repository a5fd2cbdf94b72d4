// Records of tests/data/timeloop as inputs and results of ours.
// Does not cover all of Timeloop's input language: only what those records use.
// Used by tests/reference/golden_test.cpp.
#pragma once

#include "reference/traffic.hpp"
#include "tests/support/model_case.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tests {

struct TimeloopRecord {
    std::string id;
    std::string family;
    std::string arch_kind;
    ModelCase input;
    reference::Traffic expected;  // as printed
    /// Per level the bandwidth that reads and writes share, which our Architecture has not.
    std::vector<std::optional<double>> shared_bandwidth;
};

/// All records of a gzip'd file of JSON lines. Throws what nlohmann-json throws.
std::vector<TimeloopRecord> read_timeloop_records(const std::string& path);

}  // namespace tests

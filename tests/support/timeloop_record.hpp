// Records of tests/data/timeloop as inputs and results of ours.
// Does not judge: what is compared with what is the tests' business.
// Used by tests/reference.
#pragma once

#include "reference/case.hpp"
#include "reference/traffic.hpp"

#include <map>
#include <string>
#include <vector>

namespace tests {

struct TimeloopRecord {
    std::string id;
    std::string family;  // empty in the examples, as is arch_kind
    std::string arch_kind;
    reference::Case input;  // empty if refused
    std::string refused;    // what our reader says of an input that it cannot read; else empty
    reference::Traffic expected;  // as printed; empty if Timeloop refuses the record
    /// Timeloop's message where it refuses the record; else empty.
    std::string expected_error;
    /// The same with another setting, where that changes a number: "no_link_transfers",
    /// "no_temporal_extrapolation", "neither", "pre2025".
    std::map<std::string, reference::Traffic> variants;
    std::vector<std::string> variants_run;  // settings tried; those not in `variants` as expected
};

/// All records of a file of JSON lines, gzip'd or not. Throws what nlohmann-json throws, and
/// std::runtime_error where a record is not as its README says.
///
/// `total` is per-instance words times instances, as printed. `throttling` and `utilization` are
/// rounded to two digits and to hundredths of a percent.
std::vector<TimeloopRecord> read_timeloop_records(const std::string& path);

}  // namespace tests

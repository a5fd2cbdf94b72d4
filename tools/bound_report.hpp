// What `perfjudge bound` says: a table, JSON, a chart.
// Does not search: reference/bound.hpp does; does not print.
// Used by cmd_bound.cpp.
#pragma once

#include "reference/bound.hpp"
#include "reference/matrix_product.hpp"
#include "reference/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tools {

struct BoundReport {
    const reference::Workload& workload;
    const reference::BoundOptions& options;
    const reference::Bound& bound;
};

/// What no schedule can be below at this buffer size: the compulsory traffic, or of a matrix
/// product what is proven for it, if that is more. In words; not whole.
double floor_words(const BoundReport& report, std::int64_t buffer_words);

/// Lines for people.
std::string bound_table(const BoundReport& report);

/// One object; docs/bound.md lists its fields.
std::string bound_json(const BoundReport& report);

/// The curve, log-log, with the floor below it. A buffer of 0 words has no place on such an axis.
std::string bound_svg(const BoundReport& report);

}  // namespace tools

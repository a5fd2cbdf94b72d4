// The workload of a case: dimensions, data spaces and their affine projections.
// Does not know of hardware or of loop order.
// Used by everything in reference/ and, as a value, by the grader.
#pragma once

#include "reference/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace reference {

class Document;

/// Index of a dimension in Workload::dimensions.
enum class DimensionId : std::size_t {};
/// Index of a data space in Workload::data_spaces.
enum class DataSpaceId : std::size_t {};

constexpr std::size_t index(DimensionId id) {
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(DataSpaceId id) {
    return static_cast<std::size_t>(id);
}

struct Dimension {
    std::string name;
    std::int64_t size = 1;  // iterations; at least 1
    bool operator==(const Dimension&) const = default;
};

/// One term `coefficient * index(dimension)` of a rank's coordinate.
struct Term {
    DimensionId dimension{};
    std::int64_t coefficient = 1;  // at least 1
    bool operator==(const Term&) const = default;
};

/// The coordinate of a rank is the sum of its terms; two or more terms make a sliding window.
using Rank = std::vector<Term>;

struct DataSpace {
    std::string name;
    std::vector<Rank> ranks;
    bool output = false;  // read-modify-write; exactly one data space of a workload is an output
    bool operator==(const DataSpace&) const = default;
};

struct Workload {
    std::string name;
    std::vector<Dimension> dimensions;
    std::vector<DataSpace> data_spaces;
    bool operator==(const Workload&) const = default;
};

/// Reads the table [workload]; docs/model-files.md lists its keys. [architecture] and [mapping] may
/// stand in the same document.
/// Errors: unreadable, with every mistake found on a line of its own.
Result<Workload> read_workload(const Document& document);

}  // namespace reference

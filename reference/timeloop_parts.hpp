// Inside the reader of Timeloop's files: each part from its place in a parsed document.
// Not for other callers: they take timeloop_yaml.hpp. Mistakes go to the Mistakes of the places.
// Implemented by timeloop_problem.cpp, timeloop_architecture.cpp and timeloop_mapping.cpp.
#pragma once

#include "reference/case.hpp"
#include "reference/timeloop_number.hpp"
#include "reference/yaml_place.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reference::timeloop {

/// The value of `key`, or the document itself if it is a map without any of the usual top keys.
Place part(const Place& root, std::string_view key);

/// Refuses what turns a document into another kind of problem: `sparse_optimizations`.
void refuse_sparse(const Place& root);

Workload problem(const Place& root);

/// The shapes that Timeloop brings along: "cnn_layer", "gemm_ABZ", "gemm". Sizes are 1. None: no
/// such shape.
struct Coefficient {
    std::string name;
    std::optional<std::int64_t> value;
};
/// A rank's terms as text, `R*Wdilation + P*Wstride`.
struct ShapeText {
    std::string_view name;
    std::string_view dimensions;
    std::string_view coefficients;  // all 1 unless the instance says otherwise
    struct DataSpaceText {
        std::string_view name;
        std::string_view ranks;  // separated by commas
        bool output;
    };
    std::span<const DataSpaceText> data_spaces;
};
const ShapeText* preset(std::string_view name);

/// Directives that stand with a node: `spatial`, `temporal`, `dataspace`.
struct NodeConstraints {
    std::string name;  // of the node
    Place constraints;
};

/// A data space that one branch keeps is bypassed in the others.
struct Branch {
    std::vector<std::size_t> levels;
    std::vector<Place> keeps;  // constraints of the nodes in it that are no levels
};
using Parallel = std::vector<Branch>;

struct ArchitecturePart {
    Architecture architecture;
    bool nodes = false;  // the 0.4 style
    std::vector<NodeConstraints> constraints;
    std::vector<Parallel> parallels;
};
ArchitecturePart architecture(const Place& root);

/// A component as a storage level or as the units. `around`: attributes that a component without
/// them gets; names for expressions.
enum class ComponentKind : std::uint8_t { storage, compute, other };
ComponentKind component_kind(const Place& component);
struct Attributes {
    Place component;
    std::vector<Place> around;  // of the containers, innermost first
    Names names;
    bool meshed = false;  // the tree says how many there are; meshX and instances do not count
    [[nodiscard]] Place find(std::span<const std::string_view> keys, bool inherited = true) const;
};
/// "PE[0..15]": "PE" and 16. Bounds may be expressions.
struct RangedName {
    std::string name;
    std::int64_t count = 1;
};
RangedName ranged_name(const Place& name, const Names& names);
StorageLevel storage_level(const Attributes& attributes, std::string name, std::int64_t instances);
ComputeUnits compute_units(const Attributes& attributes, std::string name, std::int64_t instances);

Mapping mapping(const Place& root, const Workload& workload, const Architecture& architecture,
                const ArchitecturePart* part);

/// `factors` of a directive: per dimension the bound, or none; 0 has become the size.
using Factors = std::vector<std::optional<Loop>>;
/// `exact_only`: `M<=4` is a mistake, else it is left out.
Factors read_factors(const Place& place, const Workload& workload, bool exact_only);
/// Dimensions, innermost first; those that are not named are missing.
std::vector<std::size_t> read_permutation(const Place& place, const Workload& workload);

}  // namespace reference::timeloop

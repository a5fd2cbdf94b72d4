// Kinds of workload that cases are made of: matrix products, contractions, convolutions, ...
// Does not know sizes, hardware or mappings.
// Called by generate.cpp only.
#pragma once

#include "reference/workload.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

struct TensorShape {
    std::string_view name;
    std::string_view ranks;  // "N C P+R": ranks apart by spaces, terms by '+'
};

/// Terms of a window rank: the first has the stride as coefficient, the second the dilation.
struct Shape {
    std::string_view name;
    std::vector<TensorShape> tensors;  // the output first
};

enum class ShapeSet : std::uint8_t { matmul, einsum, conv2d };
std::span<const Shape> shapes(ShapeSet set);

/// All dimensions of size 1 and data spaces of a shape, the output last, names as in the shape.
Workload workload_of(const Shape& shape, std::int64_t stride, std::int64_t dilation);

}  // namespace reference

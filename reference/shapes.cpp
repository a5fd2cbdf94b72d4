// The table of workload shapes, and how its short form is read.
// Does not choose among them.
// See shapes.hpp.
#include "reference/shapes.hpp"

#include <algorithm>

namespace reference {

namespace {

const std::vector<Shape>& matmul_shapes() {
    static const std::vector<Shape> kShapes{{"gemm", {{"Z", "M N"}, {"A", "M K"}, {"B", "K N"}}}};
    return kShapes;
}

const std::vector<Shape>& einsum_shapes() {
    static const std::vector<Shape> kShapes{
        {"gemm", {{"Z", "M N"}, {"A", "M K"}, {"B", "K N"}}},
        {"batched_gemm", {{"Z", "H M N"}, {"A", "H M K"}, {"B", "H K N"}}},
        {"mttkrp", {{"Z", "I R"}, {"T", "I J K"}, {"B", "J R"}, {"C", "K R"}}},
        {"gemv", {{"Y", "M"}, {"A", "M K"}, {"X", "K"}}},
        {"contraction", {{"Z", "I J K L"}, {"X", "I P K Q"}, {"Y", "P J Q L"}}},
        {"elementwise", {{"Z", "M N"}, {"A", "M N"}, {"B", "M N"}}},
        {"shared_weights", {{"Z", "H M N"}, {"A", "H M K"}, {"B", "K N"}}},
        {"tensor_times_matrix", {{"Z", "I J R"}, {"T", "I J K"}, {"U", "K R"}}},
        {"outer_product", {{"Z", "M N"}, {"X", "M"}, {"Y", "N"}}},
        {"tucker", {{"Z", "I J K"}, {"G", "P Q R"}, {"A", "I P"}, {"B", "J Q"}, {"C", "K R"}}},
        {"scaled_rows", {{"Z", "N M"}, {"A", "M K"}, {"B", "N K"}, {"S", "M"}}},
    };
    return kShapes;
}

const std::vector<Shape>& conv2d_shapes() {
    static const std::vector<Shape> kShapes{
        {"conv2d", {{"O", "N K P Q"}, {"I", "N C P+R Q+S"}, {"W", "K C R S"}}}};
    return kShapes;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

DimensionId dimension_named(Workload& workload, std::string_view name) {
    auto& all = workload.dimensions;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Dimension& d) { return d.name == name; });
    if (found != all.end()) return DimensionId{static_cast<std::size_t>(found - all.begin())};
    all.push_back({std::string(name), 1});
    return DimensionId{all.size() - 1};
}

}  // namespace

std::span<const Shape> shapes(ShapeSet set) {
    switch (set) {
        case ShapeSet::matmul:
            return matmul_shapes();
        case ShapeSet::einsum:
            return einsum_shapes();
        case ShapeSet::conv2d:
            return conv2d_shapes();
    }
    return {};
}

Workload workload_of(const Shape& shape, std::int64_t stride, std::int64_t dilation) {
    Workload workload{std::string(shape.name), {}, {}};
    for (const TensorShape& tensor : shape.tensors) {
        DataSpace space{std::string(tensor.name), {}, workload.data_spaces.empty()};
        for (const std::string_view text : split(tensor.ranks, ' ')) {
            Rank rank;
            const auto terms = split(text, '+');
            for (const std::string_view term : terms) {
                const std::int64_t window = rank.empty() ? stride : dilation;
                rank.push_back({dimension_named(workload, term), terms.size() > 1 ? window : 1});
            }
            space.ranks.push_back(std::move(rank));
        }
        workload.data_spaces.push_back(std::move(space));
    }
    std::rotate(workload.data_spaces.begin(), workload.data_spaces.begin() + 1,
                workload.data_spaces.end());
    return workload;
}

}  // namespace reference

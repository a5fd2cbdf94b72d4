// Which workloads are matrix products, and what is known of these.
// Does not search.
// See matrix_product.hpp.
#include "reference/matrix_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace reference {

namespace {

/// The dimensions longer than 1 that the data space has, one a rank; none: it is no matrix.
std::optional<std::vector<bool>> plain_dimensions(const DataSpace& data_space,
                                                  const Workload& workload) {
    std::vector<bool> has(workload.dimensions.size(), false);
    for (const Rank& rank : data_space.ranks) {
        std::size_t terms = 0;
        for (const Term& term : rank) {
            const std::size_t d = index(term.dimension);
            if (workload.dimensions[d].size == 1) continue;
            if (++terms > 1 || term.coefficient != 1 || has[d]) return std::nullopt;
            has[d] = true;
        }
    }
    return has;
}

}  // namespace

std::optional<MatrixProduct> as_matrix_product(const Workload& workload) {
    if (workload.data_spaces.size() != 3) return std::nullopt;
    std::array<std::vector<bool>, 3> has;  // the two inputs, the output
    std::size_t inputs = 0;
    for (const DataSpace& data_space : workload.data_spaces) {
        auto dimensions = plain_dimensions(data_space, workload);
        if (!dimensions || (!data_space.output && inputs == 2)) return std::nullopt;
        has[data_space.output ? 2 : inputs++] = std::move(*dimensions);
    }
    MatrixProduct product;
    for (std::size_t d = 0; d < workload.dimensions.size(); ++d) {
        const std::int64_t size = workload.dimensions[d].size;
        if (size == 1) continue;
        if (has[0][d] + has[1][d] + has[2][d] != 2) return std::nullopt;
        (!has[2][d] ? product.k : has[0][d] ? product.m : product.n) *= size;
    }
    return product;
}

double matrix_product_bound(const MatrixProduct& product, std::int64_t words) {
    const auto operations = static_cast<double>(product.m) * static_cast<double>(product.n) *
                            static_cast<double>(product.k);
    const auto fast = static_cast<double>(words);
    return std::max(0.0, 2 * operations / std::sqrt(fast) - 2 * fast);
}

}  // namespace reference

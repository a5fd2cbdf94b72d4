// Matrix products: how to tell one, and the least traffic that is proven for any schedule of it.
// Does not search over mappings: bound.hpp does, and must never find less.
// Called by `perfjudge bound` and by tests.
#pragma once

#include "reference/workload.hpp"

#include <cstdint>
#include <optional>

namespace reference {

/// M x K times K x N: each dimension longer than 1 belongs to exactly two of three data spaces, in
/// a rank of its own with coefficient 1; several dimensions may make up M, N or K.
struct MatrixProduct {
    std::int64_t m = 1, n = 1, k = 1;
};
std::optional<MatrixProduct> as_matrix_product(const Workload& workload);

/// Lower bound of the words moved between DRAM and a fast memory of `words`: 2 m n k / sqrt(words)
/// - 2 words, never below 0. Of any order of the m n k multiplications and additions, not of
/// mappings alone; the partial sums of one output element are added one at a time (no Strassen).
/// Every operand is in the fast memory while it is used. So for mappings whose data spaces may
/// bypass the buffer, `words` is the buffer and 3 words more, for the operands at hand.
/// Source: Smith, Lowery, Langou, van de Geijn, "A Tight I/O Lower Bound for Matrix
/// Multiplication",
///         arXiv:1702.02017 (after Hong and Kung, STOC 1981). They count reads, those of first
///         touches of the output included; we do not count these, but count as many last writes.
double matrix_product_bound(const MatrixProduct& product, std::int64_t words);

}  // namespace reference

// How the iterations of one dimension may be spread over loops: a lattice of divisors.
// Does not know of tiles, traffic or loop orders.
// Called by loop_order.cpp and bound.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

/// All divisors of a positive number, ascending, by trial division: about sqrt(number) steps.
std::vector<std::int64_t> divisors(std::int64_t number);

/// The loops of one dimension in one level, from the inside to the outside: what their bounds have
/// multiplied up to so far, from 1 to the whole count. Every way from the first to the last product
/// is one way to write the loops; a way visits ever larger products.
struct Chain {
    std::vector<std::int64_t> products;          // ascending; 1 first, the count last
    std::vector<std::vector<std::size_t>> next;  // per product: where one more loop leads
};

/// One loop, or none if the count is 1.
Chain whole_chain(std::int64_t count);

/// Any number of loops, each of a prime bound: a loop of bound p x q counts exactly as a loop of
/// bound p with a loop of bound q directly inside, so no other bounds are needed.
Chain prime_chain(std::int64_t count);

}  // namespace reference

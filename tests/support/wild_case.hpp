// Random small cases of any shape, wilder than those that reference/generate.hpp makes for tasks.
// Does not make remainders or cases that are not legal.
// Used by property tests.
#pragma once

#include "reference/case.hpp"
#include "reference/random.hpp"

#include <cstdint>

namespace tests {

/// Up to four levels; sliding windows with strides, holes and up to three terms; several loops of
/// one dimension at one level, loops of bound 1; bypass; arrays wider than what is mapped, and
/// narrower; units with lanes; bandwidths. At most about `iterations` iterations.
reference::Case wild_case(reference::Random& random, std::int64_t iterations);

}  // namespace tests

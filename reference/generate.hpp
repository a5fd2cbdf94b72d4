// Seeded small legal cases: workload, architecture and mapping of one family, stratified by index.
// Does not compute expected numbers and knows nothing of tasks; the same bytes on every machine.
// Called by the grader for visible and hidden cases, and by tests.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"
#include "reference/random.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace reference {

/// Keeps cases within reach of a submission that plays every step.
struct GenerateLimits {
    // product of all temporal loops outside the innermost level and of all spatial loops
    std::int64_t max_steps = 20'000;
    // product of all loops of all levels; at most 2^48, so that every count stays below 2^53
    std::int64_t max_iterations = 2'000'000;
    bool operator==(const GenerateLimits&) const = default;
};

constexpr std::int64_t kMostIterations = std::int64_t{1} << 48U;

/// "matmul", "einsum", "conv2d", "spatial", "bypass", "bandwidth".
std::vector<std::string_view> generator_families();

/// Case number `index` of a family. Consecutive indices go through the strata: shape of the
/// workload, loop order, loops of bound 1 (absent, listed, mixed, a level without work), bypass
/// choices, capacity just met and just missed, which bandwidth binds. Errors: inconsistent if there
/// is no such family.
Result<Case> generate(std::string_view family, const GenerateLimits& limits, const Seed& seed,
                      std::uint64_t index);

}  // namespace reference

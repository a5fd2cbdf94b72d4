// Cases of the reference model in a short text form, for tests.
// Does not check them: check_case() does. Not for anything but tests.
// Used by tests/reference.
#pragma once

#include "reference/architecture.hpp"
#include "reference/mapping.hpp"
#include "reference/workload.hpp"

#include <string_view>
#include <vector>

namespace tests {

struct ModelCase {
    reference::Workload workload;
    reference::Architecture architecture;
    reference::Mapping mapping;
};

/// Tensors: "I:C,2P+R W:C,R O=P" (one-letter dimensions; `=` marks the output). Levels, outermost
/// first: "K4 N3 M2/N4/-B" (temporal loops/spatial loops/bypassed tensors; the last two may be
/// missing). Dimension sizes are what the bounds multiply to; instances are what is used.
ModelCase model_case(std::string_view tensors, const std::vector<std::string_view>& levels);

}  // namespace tests

// A case: workload, architecture and mapping together.
// Does not check that they belong together: check_case() does.
// Made by the generator and by the readers; taken apart by everyone who counts.
#pragma once

#include "reference/architecture.hpp"
#include "reference/mapping.hpp"
#include "reference/workload.hpp"

namespace reference {

struct Case {
    Workload workload;
    Architecture architecture;
    Mapping mapping;
    bool operator==(const Case&) const = default;
};

}  // namespace reference

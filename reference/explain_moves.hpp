// The part of the explanation about one data space: what passes each boundary, step by step.
// Does not explain tiles or cycles: explain.cpp does.
// Used by explain.cpp.
#pragma once

#include "reference/case.hpp"
#include "reference/nest.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <optional>
#include <string>

namespace reference {

struct ExplainInputs {
    const Case& input;
    const Semantics& semantics;
    const Traffic& traffic;
    const Nest& nest;
};

/// "2P+R"
std::string rank_text(const Workload& workload, const Rank& rank);

/// One paragraph per boundary, outermost first. None: too many spatial instances to compare.
std::optional<std::string> explain_moves(const ExplainInputs& in, std::size_t data_space);

}  // namespace reference

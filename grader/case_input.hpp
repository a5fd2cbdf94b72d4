// What one case hands to a submission: one JSON object, and whether its numbers are public.
// Carries nothing that was computed by the reference.
// Used by the coordinator, workers and the jailed stages.
#pragma once

#include <string>

namespace grader {

struct CaseInput {
    std::string json;      // workload, architecture, mapping; see docs/task-format.md
    bool visible = false;  // shown to whoever writes submissions
};

}  // namespace grader

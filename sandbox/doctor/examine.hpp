// Every probe of this host, in the order of a report.
// Prints nothing, reads no environment, starts no helper, leaves nothing behind.
// Called by `perfjudge doctor`.
#pragma once

#include "sandbox/doctor/finding.hpp"

#include <string_view>
#include <vector>

namespace sandbox::doctor {

/// `group_note`: what lend_cgroup() said; it must have been called before. Call with one thread.
std::vector<Finding> examine_host(std::string_view group_note);

}  // namespace sandbox::doctor

// A case as one TOML document, in the form that our readers take.
// Does not check the case; docs/model-files.md lists the keys.
// Used by `perfjudge bound` to hand over a mapping.
#pragma once

#include "reference/case.hpp"

#include <string>

namespace reference {

/// The three tables [workload], [architecture] and [mapping]. Reading them gives back the case.
/// The case has passed check_case().
std::string case_toml(const Case& made);

}  // namespace reference

// The version of the program.
// Does not say how it was built.
// Used by main.cpp and for manifests.
#pragma once

#include <string_view>

namespace tools {

std::string_view version();

}  // namespace tools

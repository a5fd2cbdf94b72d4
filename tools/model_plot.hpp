// Draws the traffic of a result: one group of bars per level, one bar per tensor.
// Does not write files.
// Called by cmd_model.cpp for --plot.
#pragma once

#include "tools/model_result.hpp"

#include <string>

namespace tools {

/// An SVG document. Words of all instances; picojoules where the result has energy. The axis is
/// logarithmic where the largest bar would make the least invisible.
std::string model_plot(const ModelResult& result);

}  // namespace tools

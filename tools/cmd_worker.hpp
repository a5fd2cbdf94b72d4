// `perfjudge worker`: serves jobs on standard input and output.
// Does not judge.
// Added to the command line by main.cpp.
#pragma once

#include <CLI/App.hpp>

namespace tools {

void add_worker(CLI::App& app, int& exit_code);

}  // namespace tools

// The subcommand `grade`.
// Runs nothing until the command line was read.
// Called by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

void add_grade(CLI::App& app, int& exit_code);

}  // namespace tools

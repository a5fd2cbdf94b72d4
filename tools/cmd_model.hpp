// The subcommand `model`: the reference model's numbers of a mapping, or of a batch of them.
// Runs nothing until the command line was read.
// Called by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

void add_model(CLI::App& app, int& exit_code);

}  // namespace tools

// The subcommand `worker`.
// Runs nothing until the command line was read.
// Called by main.cpp.
#pragma once

namespace CLI {
class App;
}

void add_worker(CLI::App& app, int& exit_code);

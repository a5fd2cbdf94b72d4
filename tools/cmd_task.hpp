// Registers `perfjudge task`.
// Does not print: the callbacks do when the command line is parsed.
// Called by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

/// Adds `task list|show|cases|prompt`; what runs sets `exit_code`.
void add_task(CLI::App& app, int& exit_code);

}  // namespace tools

// `perfjudge selftest`: attacks on this installation, and whether all of them came to nothing.
// Changes nothing on the host.
// Added to the command line by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

void add_selftest(CLI::App& app, int& exit_code);

}  // namespace tools

// `perfjudge doctor`: can this host grade, what is missing, and how to get it.
// Changes nothing but the cache folder.
// Added to the command line by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

void add_doctor(CLI::App& app, int& exit_code);

}  // namespace tools

// `perfjudge jail`: runs one program in a jail and reports how it ended.
// Does not judge.
// Added to the command line by main.cpp.
#pragma once

#include <CLI/App.hpp>

namespace tools {

void add_jail(CLI::App& app, int& exit_code);

}  // namespace tools

// `perfjudge bound`: the least off-chip traffic of a problem for each buffer size.
// Searches nothing itself.
// Registered by main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace tools {

void add_bound(CLI::App& app, int& exit_code);

}  // namespace tools

// Starts a trusted program of ours with exact arguments, environment and descriptors.
// Never starts a submission: that is the helper's work. Only user of Boost.Process.
// Called for workers and helpers.
#pragma once

#include "sandbox/child.hpp"
#include "sandbox/error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sandbox {

struct Binding {
    int child_fd;  // number in the new program
    int fd;        // ours; stays open here
};

struct Launch {
    std::filesystem::path program;
    std::vector<std::string> args;  // without argv[0]
    std::vector<std::string> env;   // "NAME=value"; nothing is inherited
    std::vector<Binding> fds;       // 0, 1 and 2 must all be bound
};

/// No other descriptor reaches the program, inherited ones included.
/// Errors: setup_failed, naming the program, if it cannot be executed.
Result<Child> launch(const Launch& request);

}  // namespace sandbox

// The exit codes of every subcommand: one enum.
// Decides none.
// Used by tools/cmd_*.cpp and main.cpp.
#pragma once

namespace tools {

enum class ExitCode : int {
    finished = 0,
    not_accepted = 1,  // a single run; a mapping that does not fit
    unusable = 2,      // bad usage or unusable input
    cannot_judge = 3,  // no jail mode, no compiler, no room: nothing here is the submissions' fault
    finished_with = 4,  // finished, but over the JE budget or with input lines without result
    interrupted = 130,  // SIGINT; as shells report it
    terminated = 143,   // SIGTERM
};

constexpr int number(ExitCode code) {
    return static_cast<int>(code);
}

}  // namespace tools

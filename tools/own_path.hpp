// Where this program finds its own parts, in the build folder and after an installation.
// Does not start them.
// Used by tools/cmd_*.cpp.
#pragma once

#include <filesystem>

namespace tools {

/// This program itself.
std::filesystem::path own_program();

/// perfjudge-jail.
std::filesystem::path helper_program();

/// Attacks and tasks: of the source tree if the build folder lies in it, else what was installed.
std::filesystem::path corpus_folder();
std::filesystem::path tasks_folder();

}  // namespace tools

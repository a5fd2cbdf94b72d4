// The two things that every command with jails asks: in which mode, and where compilers may write.
// Does not find out what this host can: sandbox/jail.hpp does.
// Used by cmd_jail.cpp, cmd_grade.cpp and cmd_worker.cpp.
#pragma once

#include "sandbox/mode.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace tools {

/// Words of --mode; "auto" is none.
std::optional<sandbox::Mode> mode_named(std::string_view name);

/// TMPDIR, if it is an absolute path, else /tmp.
std::filesystem::path scratch_folder();

}  // namespace tools

// Where workers keep compiled entry code if nobody says where.
// Makes nothing: grader/toolkit.hpp does.
// Used by cmd_worker.cpp and cmd_doctor.cpp.
#pragma once

#include <filesystem>

namespace tools {

/// From XDG_CACHE_HOME, HOME or the user's entry; else a folder of the user's own in /tmp.
std::filesystem::path default_cache();

}  // namespace tools

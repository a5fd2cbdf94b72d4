// Which files a dynamic ELF program needs: its loader and its libraries, transitively.
// Reads headers only; never asks the loader, which would run code.
// Called by view.cpp.
#pragma once

#include "sandbox/error.hpp"

#include <filesystem>
#include <vector>

namespace sandbox {

/// Paths under which the loader will look for them; empty for a static program or a script.
/// Errors: bad_request for a damaged ELF file, host_unsupported for a library that is not found.
Result<std::vector<std::filesystem::path>> needed_files(const std::filesystem::path& program);

}  // namespace sandbox

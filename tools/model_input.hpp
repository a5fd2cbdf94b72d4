// Loads workload, architecture and mapping from files: our TOML or Timeloop's YAML and JSON.
// Does not check that the three belong together: check_case() does.
// Used by cmd_model*.cpp and cmd_bound*.cpp.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"

#include <filesystem>

namespace tools {

/// Three files, or one given three times; kinds may be mixed. A file is TOML by its name (.toml),
/// Timeloop's by its name (.yaml, .yml, .json), else by its contents.
struct ModelFiles {
    std::filesystem::path problem, architecture, mapping;
};

// At most 16 MiB a file. Errors: unreadable; each line is "file:line: key: what is wrong", or
// "file: ..." where the file cannot be read at all.
reference::Result<reference::Workload> load_problem(const std::filesystem::path& file);
reference::Result<reference::Architecture> load_architecture(const std::filesystem::path& file);
reference::Result<reference::Case> load_case(const ModelFiles& files);

}  // namespace tools

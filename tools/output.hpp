// Writes a whole text, to standard output or to a file, and says whether all of it got there.
// Does not say what to do if not.
// Called by the subcommands.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace tools {

/// Flushed, so that a full disk or a closed pipe shows.
[[nodiscard]] bool write_whole(std::FILE* stream, std::string_view text);
/// Replaces the file.
[[nodiscard]] bool write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace tools

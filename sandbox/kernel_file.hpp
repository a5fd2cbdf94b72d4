// Small files of the kernel: read whole, write in one piece.
// Makes no file: what is absent is not there.
// Used by lend.cpp and doctor/.
#pragma once

#include <filesystem>
#include <string>

namespace sandbox {

/// The whole text; empty if it cannot be read.
std::string text_of(const std::filesystem::path& path);

/// 0, or the errno of a refused write. The file must be there: the kernel made it.
int put_text(const std::filesystem::path& path, const std::string& text);

}  // namespace sandbox

// Words and environment of jail_mode.hpp.
// Makes nothing.
// See jail_mode.hpp.
#include "tools/jail_mode.hpp"

#include <cstdlib>

namespace tools {

std::optional<sandbox::Mode> mode_named(std::string_view name) {
    for (const sandbox::Mode mode : {sandbox::Mode::full, sandbox::Mode::portable}) {
        if (sandbox::name(mode) == name) return mode;
    }
    return std::nullopt;
}

std::filesystem::path scratch_folder() {
    const char* given = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return given != nullptr && *given == '/' ? given : "/tmp";
}

}  // namespace tools

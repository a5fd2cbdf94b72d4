// What a jailed program can see of the host's file system, per profile.
// Does not mount: the helper does, once, at its start.
// Called by whoever starts a Supervisor.
#pragma once

#include "sandbox/error.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// Names a system-call policy and a view. `native` shows nothing at all but /box and /dev/null.
enum class Profile : std::uint8_t { native, compile, lua, python, shell };
std::string_view name(Profile profile);

struct ViewEntry {
    enum class Kind : std::uint8_t { bind, link };  // read-only bind mount, or a symbolic link
    Kind kind{};
    std::string target;  // absolute path inside the jail
    std::string source;  // bind: absolute host path of a file or folder; link: its text
};

struct View {
    Profile profile{};
    std::vector<ViewEntry> entries;  // parents before children
};

/// The standard view of a profile on this host (toolchain, interpreter, libraries).
/// Errors: host_unsupported naming the missing program and its package.
Result<View> standard_view(Profile profile);

/// The native view plus one host program and the libraries that it needs, and nothing else.
Result<View> program_view(const std::filesystem::path& program, Profile profile);

}  // namespace sandbox

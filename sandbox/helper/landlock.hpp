// A Landlock ruleset from open folders and files: the file layer of a program's confinement.
// Does not restrict anyone: a step in case_steps.cpp does, in the process that is meant.
// Called by the keeper once per /box.
#pragma once

#include "sandbox/unique_fd.hpp"

#include <cstdint>
#include <span>

namespace sandbox {

/// What a program may do beneath a folder, or with a file: read (and execute), also write to
/// it (a device), everything but special files and execution (its own folder), or make and write
/// files, but take none away (a folder on the host, where all is counted by name).
enum class Access : std::uint8_t { read, write, own, keep };

struct Beneath {
    int fd = -1;  // O_PATH is enough
    Access access{};
};

/// ABI of the running kernel; 0: it has no Landlock, or it is switched off.
int landlock_abi();

/// A ruleset that handles every right and scope of the running ABI, so that everything not
/// allowed here is refused. Not valid() where there is no Landlock: reported, not fatal.
UniqueFd make_ruleset(std::span<const Beneath> allowed);

}  // namespace sandbox

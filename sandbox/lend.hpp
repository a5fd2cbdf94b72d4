// Version 2 of control groups: makes room for limited groups below our own, where it is ours to
// use. Moves nobody but the calling process. Called by the programs that start helpers, before they
// do.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sandbox {

/// In version 2 a group whose children have limits may hold no process itself. So where the
/// caller's group was delegated to it and holds nobody else (`systemd-run --user --scope -p
/// Delegate=yes`), the caller moves into a child "perfjudge-host" and turns on the memory and pids
/// controllers for its siblings. Says why it did not, in one line; empty: done, done before, or
/// nothing to do (version 1). Never fails: without it limits are sampled, and reports say so.
std::string lend_cgroup();

/// The same for a group at `folder` and the process `pid`; a test gives a folder of plain files.
std::string lend_group(const std::filesystem::path& folder, int pid);

}  // namespace sandbox

// The helper's own root: a small tree that holds one read-only view per profile and nothing else.
// Does not make jails: jail_steps.cpp does, from copies of this tree.
// Entered once, at the start of the helper; after that the host's files are out of reach.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/helper/portable.hpp"
#include "sandbox/mode.hpp"
#include "sandbox/view.hpp"

#include <vector>

#include <sys/types.h>

namespace sandbox {

struct World {
    Mode mode = Mode::full;
    bool as_root = false;  // else, in full mode, in a user namespace that maps one id
    uid_t jail_uid = 0;    // of programs, as seen from the helper
    gid_t jail_gid = 0;
    Shown shown;  // portable mode only
};

/// As root, what programs run as: a number plus our pid, so that no other jail has it, and no
/// account either. Where a container maps few ids, one of its last; 0 if there is none for us.
uid_t jail_uid_in(const std::string& uid_map, pid_t pid);

/// Full mode: leaves the host's root for ever. Errors: host_unsupported with the remedy,
/// setup_failed.
Result<World> enter_world(const std::vector<View>& views);

/// Portable mode: stays among the host's files, and opens what the views show.
/// Errors: host_unsupported with the remedy, setup_failed.
Result<World> enter_portable_world(const std::vector<View>& views, const std::string& scratch);

}  // namespace sandbox

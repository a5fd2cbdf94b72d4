// The confinement steps of one jail, from a new process in new namespaces to init.
// Does not start programs: case_steps.cpp does.
// Called by the keeper.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/helper/world.hpp"
#include "sandbox/unique_fd.hpp"
#include "sandbox/view.hpp"

#include <string>

namespace sandbox {

struct InitProcess {
    UniqueFd pidfd;
    UniqueFd control;  // our end of its socket
    pid_t pid = -1;    // in the helper's namespace
};

/// Starts init as pid 1 of new pid, mount, network, ipc, uts and cgroup namespaces, with the view
/// of `profile` as its root; in portable mode as an ordinary child. Errors: setup_failed, naming
/// the step.
Result<InitProcess> start_init(Profile profile, const World& world);

/// The image of init, sealed in memory. Called once, before the first start_init().
Result<void> prepare_init_image();

}  // namespace sandbox

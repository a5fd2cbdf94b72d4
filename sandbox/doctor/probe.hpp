// Tries mechanisms of the kernel in forked children, so that nothing of it stays.
// Explains nothing: explain.hpp does, from what comes out of here.
// Called by examine.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sandbox::doctor {

/// All steps worked, or the first that did not, with its errno.
struct Tried {
    int error = 0;     // 0: all worked; -1: the child was killed or ended without an answer
    std::string step;  // the one that failed
    [[nodiscard]] bool works() const { return error == 0; }
};

struct Step {
    const char* name;
    std::function<int()> run;  // 0, or an errno
};

/// Runs the steps in one child, which is made with these clone flags.
Tried try_in_child(const std::vector<Step>& steps, int clone_flags = 0);

/// The last result of a system call as a step gives it.
int result_of(long returned);

/// New user namespace with our own id in it, as the helper makes it; nothing to do for root.
std::vector<Step> as_the_helper(std::vector<Step> then);

// namespaces
Tried try_user_namespace();
Tried try_mount_namespace();
Tried try_namespace(int clone_flag);  // pid, net, ipc, uts, cgroup
/// As root: a program can be given an id that nobody else has.
Tried try_jail_id();
/// The kernel lets a pid namespace say which pid comes next.
Tried try_pid_counter();

// mounts, in a mount namespace of the child's own
Tried try_private_mounts();
Tried try_tmpfs();
Tried try_mount_calls();  // open_tree, move_mount, mount_setattr, pivot_root

// system calls and files
Tried try_filter();
Tried try_notification();
Tried try_executable_memory();

struct LandlockTried {
    int abi = 0;      // 0: none
    int error = 0;    // why there is none
    Tried restricts;  // a ruleset without any right really refuses
};
LandlockTried try_landlock();

}  // namespace sandbox::doctor

// Probes of mounts, each in a mount namespace of its own.
// Leaves no mount: the namespace ends with the child.
// See probe.hpp.
#include "sandbox/doctor/probe.hpp"
#include "sandbox/unique_fd.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox::doctor {

namespace {

constexpr const char* kPlace = "/tmp";  // covered in the child's namespace only

Step own_namespace() {
    return {"mount namespace", [] { return result_of(::unshare(CLONE_NEWNS)); }};
}

Step private_mounts() {
    return {"make / private",
            [] { return result_of(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr)); }};
}

Step tmpfs() {
    return {"tmpfs", [] {
                return result_of(::mount("probe", kPlace, "tmpfs", MS_NOSUID | MS_NODEV,
                                         "mode=0755,size=1m,nr_inodes=64"));
            }};
}

int open_tree_of_usr(UniqueFd& tree) {
    tree.reset(static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, "/usr",
                                          OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE)));
    return tree.valid() ? 0 : errno;
}

int attach(const UniqueFd& tree) {
    if (::mkdir("/tmp/tree", 0755) != 0) return errno;
    return result_of(
        ::syscall(SYS_move_mount, tree.get(), "", AT_FDCWD, "/tmp/tree", MOVE_MOUNT_F_EMPTY_PATH));
}

int make_read_only() {
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    return result_of(::syscall(SYS_mount_setattr, AT_FDCWD, "/tmp/tree", AT_RECURSIVE, &attributes,
                               sizeof attributes));
}

int pivot() {
    if (::chdir(kPlace) != 0) return errno;
    return result_of(::syscall(SYS_pivot_root, ".", "."));
}

}  // namespace

Tried try_private_mounts() {
    return try_in_child(as_the_helper({own_namespace(), private_mounts()}));
}

Tried try_tmpfs() {
    return try_in_child(as_the_helper({own_namespace(), private_mounts(), tmpfs()}));
}

Tried try_mount_calls() {
    UniqueFd tree;  // of the child: it works on a copy of this object
    return try_in_child(as_the_helper({own_namespace(),
                                       private_mounts(),
                                       {"open_tree", [&tree] { return open_tree_of_usr(tree); }},
                                       tmpfs(),
                                       {"move_mount", [&tree] { return attach(tree); }},
                                       {"mount_setattr", make_read_only},
                                       {"pivot_root", pivot}}));
}

}  // namespace sandbox::doctor

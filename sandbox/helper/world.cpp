// Builds the views while the host's root is still there, then pivots away from it.
// Once per helper: a jail only copies the mount table, which is short.
// See world.hpp.
#include "sandbox/helper/world.hpp"

#include "sandbox/helper/files.hpp"
#include "sandbox/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox {

namespace {

constexpr const char* kBase = "/tmp";  // exists everywhere; covered in our own namespace only
constexpr uid_t kInsideUid = 65533;    // what an ordinary user's id is called inside

Error failed(const std::string& what, Error::Code code = Error::Code::setup_failed) {
    const int number = errno;
    return {code, number, what + ": " + std::strerror(number)};  // NOLINT(concurrency-mt-unsafe)
}

struct Source {
    UniqueFd tree;  // detached copy of a bind's source
    bool folder = false;
};

Result<Source> open_source(const ViewEntry& entry) {
    Source source;
    source.tree.reset(
        static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, entry.source.c_str(),
                                   OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE)));
    struct stat status {};
    if (!source.tree.valid() || ::fstat(source.tree.get(), &status) != 0)
        return tl::unexpected(failed("cannot show " + entry.source + " in a jail"));
    source.folder = S_ISDIR(status.st_mode);
    return source;
}

Result<void> make_parents(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (::mkdir(path.substr(0, at).c_str(), 0755) != 0 && errno != EEXIST)
            return tl::unexpected(failed("cannot make " + path.substr(0, at)));
    }
    return {};
}

Result<void> attach(const Source& source, const std::string& place) {
    if (auto made = make_parents(place); !made) return made;
    if (source.folder) {
        if (::mkdir(place.c_str(), 0755) != 0 && errno != EEXIST)
            return tl::unexpected(failed("cannot make " + place));
    } else {
        const UniqueFd file(
            ::open(place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0644));
        if (!file.valid()) return tl::unexpected(failed("cannot make " + place));
    }
    if (::syscall(SYS_move_mount, source.tree.get(), "", AT_FDCWD, place.c_str(),
                  MOVE_MOUNT_F_EMPTY_PATH) != 0)
        return tl::unexpected(failed("cannot mount " + place));
    const bool device = place.ends_with("/dev/null");
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
    if (!device) attributes.attr_set |= MOUNT_ATTR_NODEV;
    if (::syscall(SYS_mount_setattr, AT_FDCWD, place.c_str(), AT_RECURSIVE, &attributes,
                  sizeof attributes) != 0)
        return tl::unexpected(failed("cannot make " + place + " read-only"));
    return {};
}

Result<void> build_view(const View& view, std::vector<Source>& sources) {
    const std::string root = std::string(kBase) + "/" + std::string(name(view.profile));
    if (::mkdir(root.c_str(), 0755) != 0 ||
        ::mount("view", root.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0 ||
        ::mkdir((root + "/box").c_str(), 0755) != 0)
        return tl::unexpected(
            failed("cannot make the root of profile " + std::string(name(view.profile))));
    std::size_t next = 0;
    for (const ViewEntry& entry : view.entries) {
        const std::string place = root + entry.target;
        if (entry.kind == ViewEntry::Kind::bind) {
            if (auto done = attach(sources[next++], place); !done) return done;
            continue;
        }
        if (auto made = make_parents(place); !made) return made;
        if (::symlink(entry.source.c_str(), place.c_str()) != 0)
            return tl::unexpected(failed("cannot link " + place));
    }
    if (::mount("view", root.c_str(), nullptr,
                MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_BIND, nullptr) != 0)
        return tl::unexpected(failed("cannot make " + root + " read-only"));
    return {};
}

/// As an ordinary user: a user namespace in which our own id is the only one.
Result<void> map_own_ids(uid_t uid, gid_t gid) {
    const auto map = [](unsigned outside) {
        return std::to_string(kInsideUid) + " " + std::to_string(outside) + " 1";
    };
    if (!write_file(AT_FDCWD, "/proc/self/setgroups", "deny") ||
        !write_file(AT_FDCWD, "/proc/self/uid_map", map(uid)) ||
        !write_file(AT_FDCWD, "/proc/self/gid_map", map(gid)))
        return tl::unexpected(
            failed("cannot map ids in a new user namespace", Error::Code::host_unsupported));
    return {};
}

tl::unexpected<Error> no_other_id() {
    return tl::unexpected(Error{Error::Code::host_unsupported, EINVAL,
                                "programs must not run as root, and the user namespace here maps "
                                "hardly any other id; run as an ordinary user outside of it"});
}

Result<World> unshare_from_host() {
    const uid_t uid = ::geteuid();
    const gid_t gid = ::getegid();
    World world;
    if (uid == 0) {
        if (::unshare(CLONE_NEWNS) != 0)
            return tl::unexpected(failed(
                "root here may not make a mount namespace (a container without CAP_SYS_ADMIN?); "
                "run as an ordinary user with user namespaces, or give the container that "
                "capability",
                Error::Code::host_unsupported));
        world.as_root = true;
        world.jail_uid = jail_uid_in(read_file(host_proc(), "self/uid_map"), ::getpid());
        if (world.jail_uid == 0) return no_other_id();
        world.jail_gid = world.jail_uid;
        return world;
    }
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return tl::unexpected(failed(
            "an ordinary user may not make a user namespace here; allow it (sysctl "
            "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, "
            "user.max_user_namespaces) or run as root",
            Error::Code::host_unsupported));
    if (auto mapped = map_own_ids(uid, gid); !mapped)
        return tl::unexpected(std::move(mapped).error());
    world.jail_uid = kInsideUid;
    world.jail_gid = kInsideUid;
    return world;
}

/// Programs never run as root, and what they leave must be ours to end and to remove.
bool may_change_ids() {
    struct {
        std::uint32_t version = _LINUX_CAPABILITY_VERSION_3;
        int pid = 0;
    } header;
    struct {
        std::uint32_t effective, permitted, inheritable;
    } sets[2] = {};
    if (::syscall(SYS_capget, &header, sets) != 0) return false;
    std::uint32_t wanted = 0;
    for (const unsigned one : {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID})
        wanted |= 1U << one;
    return (sets[0].effective & wanted) == wanted;
}

}  // namespace

uid_t jail_uid_in(const std::string& uid_map, pid_t pid) {
    constexpr unsigned long kFirst = 0x70000000;
    constexpr unsigned long kFew = 4096;
    const auto own = static_cast<unsigned long>(pid);
    unsigned long inside = 0, outside = 0, count = 0;
    if (std::sscanf(uid_map.c_str(), "%lu %lu %lu", &inside, &outside, &count) != 3) return 0;
    if (inside + count > kFirst + own) return static_cast<uid_t>(kFirst + own);
    return count > kFew + 2 ? static_cast<uid_t>(inside + count - 2 - own % kFew) : 0;
}

Result<World> enter_portable_world(const std::vector<View>& views, const std::string& scratch) {
    World world;
    world.mode = Mode::portable;
    world.as_root = ::geteuid() == 0;
    if (world.as_root && !may_change_ids())
        return tl::unexpected(Error{
            Error::Code::host_unsupported, EPERM,
            "programs must not run as root, and root may not change its id here; run as an "
            "ordinary user, or leave the container the capabilities CHOWN, DAC_OVERRIDE, KILL, "
            "SETGID and SETUID"});
    world.jail_uid = world.as_root ? jail_uid_in(read_file(host_proc(), "self/uid_map"), ::getpid())
                                   : ::geteuid();
    world.jail_gid = world.as_root ? world.jail_uid : ::getegid();
    if (world.jail_uid == 0) return no_other_id();
    auto shown = Shown::open(views, scratch);
    if (!shown) return tl::unexpected(std::move(shown).error());
    world.shown = std::move(*shown);
    return world;
}

Result<World> enter_world(const std::vector<View>& views) {
    auto world = unshare_from_host();
    if (!world) return world;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return tl::unexpected(
            failed("cannot make mounts private (a chroot whose / is no mount point needs mount "
                   "--bind / /)"));
    std::vector<std::vector<Source>>
        sources;  // opened before kBase, where some may lie, is covered
    for (const View& view : views) {
        auto& list = sources.emplace_back();
        for (const ViewEntry& entry : view.entries) {
            if (entry.kind != ViewEntry::Kind::bind) continue;
            auto source = open_source(entry);
            if (!source) return tl::unexpected(std::move(source).error());
            list.push_back(std::move(*source));
        }
    }
    if (::mount("world", kBase, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0)
        return tl::unexpected(failed("cannot mount a tmpfs", Error::Code::host_unsupported));
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (auto built = build_view(views[i], sources[i]); !built)
            return tl::unexpected(std::move(built).error());
    }
    if (::chdir(kBase) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0 ||
        ::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0)
        return tl::unexpected(failed("cannot leave the host's root"));
    return world;
}

}  // namespace sandbox

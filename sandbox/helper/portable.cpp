// Descriptors of what views show, a private folder for compilers, and a look at the host's /proc.
// Follows no link that a program could have made.
// See portable.hpp.
#include "sandbox/helper/portable.hpp"

#include "sandbox/helper/cgroup.hpp"
#include "sandbox/helper/files.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox {

namespace {

tl::unexpected<Error> failed(Error::Code code, const std::string& what) {
    const int number = errno;
    return tl::unexpected(
        Error{code, number, what + ": " + std::strerror(number)});  // NOLINT(concurrency-mt-unsafe)
}

int open_folder(int base, const char* name) {
    return ::openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

void remove_folder(int base, const char* name, int folder) {
    for (const std::string& file : entries_of(folder, "."))
        (void)::unlinkat(folder, file.c_str(), 0);
    (void)::unlinkat(base, name, AT_REMOVEDIR);
}

/// Where others may make folders as well, a name of ours proves nothing: only what our user, or as
/// root a jail of ours, made is removed.
void sweep(int base) {
    for (const std::string& name : entries_of(base, ".")) {
        if (!is_orphan(name)) continue;
        const UniqueFd folder(open_folder(base, name.c_str()));
        struct stat status {};
        if (!folder.valid() || ::fstat(folder.get(), &status) != 0) continue;
        if (status.st_uid == ::geteuid() || ::geteuid() == 0)
            remove_folder(base, name.c_str(), folder.get());
    }
}

}  // namespace

// ---- the private folder ------------------------------------------------------------------------

Result<PrivateFolder> PrivateFolder::make(int base, uid_t uid, gid_t gid) {
    PrivateFolder made;
    made.base_ = base;
    // Others may make folders there as well: a name that nobody can guess cannot be taken first.
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != sizeof number)
        return failed(Error::Code::setup_failed, "cannot name a private folder");
    made.name_ = group_prefix() + "-" + std::to_string(number);
    if (::mkdirat(base, made.name_.c_str(), 0700) != 0)
        return failed(Error::Code::setup_failed, "cannot make a private folder for a compiler");
    made.folder_.reset(open_folder(base, made.name_.c_str()));
    if (!made.valid() || (uid != ::geteuid() && ::fchown(made.fd(), uid, gid) != 0))
        return failed(Error::Code::setup_failed, "cannot hand over a private folder");
    return made;
}

PrivateFolder& PrivateFolder::operator=(PrivateFolder&& other) noexcept {
    if (this != &other) {
        const PrivateFolder old(std::move(*this));
        base_ = other.base_;
        name_ = std::move(other.name_);
        folder_ = std::move(other.folder_);
    }
    return *this;
}

PrivateFolder::~PrivateFolder() {
    if (valid()) remove_folder(base_, name_.c_str(), fd());
}

PrivateFolder::Usage PrivateFolder::usage(std::uint32_t most_files) const {
    Usage usage;
    for (const std::string& name : entries_of(fd(), ".", std::size_t{most_files} + 1)) {
        struct stat status {};
        if (::fstatat(fd(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
            usage.bytes += static_cast<std::uint64_t>(status.st_blocks) * 512U;
        ++usage.files;
    }
    return usage;
}

// ---- what views show ---------------------------------------------------------------------------

Result<Shown> Shown::open(const std::vector<View>& views, const std::string& scratch) {
    if (landlock_abi() == 0)
        return failed(
            Error::Code::host_unsupported,
            "portable mode needs Landlock, which this kernel does not have or does not "
            "allow (Linux 5.13 or newer, \"landlock\" in the boot option lsm=, a container "
            "profile that allows landlock_create_ruleset)");
    Shown shown;
    bool needs_scratch = false;
    for (const View& view : views) {
        needs_scratch = needs_scratch || has_folder(view.profile);
        for (const ViewEntry& entry : view.entries) {
            if (entry.kind != ViewEntry::Kind::bind) continue;  // the host has its own links
            UniqueFd fd(::open(entry.source.c_str(), O_PATH | O_CLOEXEC));
            if (!fd.valid())
                return failed(Error::Code::setup_failed,
                              "cannot show " + entry.source + " in a jail");
            shown.files_.push_back({view.profile, entry.target, entry.source, std::move(fd)});
        }
    }
    if (needs_scratch) {
        shown.scratch_.reset(::open(scratch.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!shown.scratch_.valid())
            return failed(Error::Code::setup_failed,
                          "cannot open " + scratch + " (TMPDIR), which is for private folders");
        sweep(shown.scratch());
    }
    // Whatever becomes of an init, its orphans are ours.
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return failed(Error::Code::host_unsupported, "cannot adopt orphans");
    return shown;
}

UniqueFd Shown::ruleset(Profile profile, int folder) const {
    std::vector<Beneath> allowed;
    for (const File& file : files_) {
        if (file.profile != profile) continue;
        const bool device = file.target == "/dev/null";
        allowed.push_back({file.fd.get(), device ? Access::write : Access::read});
    }
    if (folder >= 0) allowed.push_back({folder, Access::keep});
    return make_ruleset(allowed);
}

std::string Shown::host_path(Profile profile, const std::string& path) const {
    for (const File& file : files_) {
        if (file.profile == profile && file.target == path) return file.source;
    }
    return path;
}

bool has_folder(Profile profile) {
    return profile == Profile::compile || profile == Profile::shell;
}

// ---- processes ---------------------------------------------------------------------------------

std::uint32_t threads_of(uid_t uid) {
    const std::string wanted = "\nUid:\t" + std::to_string(uid) + "\t";
    constexpr std::string_view kThreads = "\nThreads:\t";
    std::uint32_t threads = 0;
    for (const std::string& name : entries_of(host_proc(), ".")) {
        if (name[0] < '0' || name[0] > '9') continue;
        const std::string status = read_file(host_proc(), (name + "/status").c_str());
        const std::size_t at = status.find(kThreads);
        if (at != std::string::npos && status.find(wanted) != std::string::npos)
            threads += static_cast<std::uint32_t>(
                std::strtoul(status.c_str() + at + kThreads.size(), nullptr, 10));
    }
    return threads;
}

void kill_adopted() {
    const std::string self = std::to_string(::getpid());
    const std::string name = self + "/task/" + self + "/children";
    // A group at a time, as init does it: its number is taken while a member is not reaped. Once
    // more after each round: a killed child's own children are ours only then.
    constexpr int kMostRounds = 1000;
    for (int i = 0; i < kMostRounds && ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0; ++i) {
        const std::string children = read_file(host_proc(), name.c_str());
        char* at = const_cast<char*>(children.c_str());
        for (char* end = nullptr;; at = end) {
            const long pid = std::strtol(at, &end, 10);
            if (end == at) break;
            const pid_t group = ::getpgid(static_cast<pid_t>(pid));
            const bool ours = group < 2 || group == ::getpgrp();  // it had no group of its own yet
            if (::kill(ours ? static_cast<pid_t>(pid) : -group, SIGKILL) == 0)
                (void)::waitpid(static_cast<pid_t>(pid), nullptr, __WALL);
        }
    }
}

}  // namespace sandbox

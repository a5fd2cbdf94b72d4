// What portable mode has instead of mounts: open files of the views, and one private folder.
// Does not confine: Landlock rulesets are made from what is opened here.
// Used by world.cpp and by the keeper; nothing of it is touched in full mode.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/helper/landlock.hpp"
#include "sandbox/unique_fd.hpp"
#include "sandbox/view.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace sandbox {

/// A flat folder on the host for one compiler run: its jail can make no folders and no links, and
/// what it made keeps its name. Removed with everything in it, by descriptor.
class PrivateFolder {
  public:
    PrivateFolder() = default;
    PrivateFolder(PrivateFolder&&) noexcept = default;
    PrivateFolder& operator=(PrivateFolder&& other) noexcept;
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder();

    /// `base` stays open in the caller. Errors: setup_failed.
    static Result<PrivateFolder> make(int base, uid_t uid, gid_t gid);

    [[nodiscard]] bool valid() const { return folder_.valid(); }
    [[nodiscard]] int fd() const { return folder_.get(); }
    struct Usage {
        std::uint64_t bytes = 0;  // on disk: holes do not count
        std::uint32_t files = 0;  // counted up to one more than asked for
    };
    [[nodiscard]] Usage usage(std::uint32_t most_files) const;

  private:
    int base_ = -1;
    std::string name_;
    UniqueFd folder_;
};

/// The host's files behind the views, by descriptor.
class Shown {
  public:
    /// Also removes what dead helpers left in `scratch`. Errors: host_unsupported, setup_failed.
    static Result<Shown> open(const std::vector<View>& views, const std::string& scratch);
    /// What a program of `profile` may read, and write in `folder` if there is one.
    [[nodiscard]] UniqueFd ruleset(Profile profile, int folder) const;
    /// The host's name of what the view calls `path`.
    [[nodiscard]] std::string host_path(Profile profile, const std::string& path) const;
    [[nodiscard]] int scratch() const { return scratch_.get(); }

  private:
    struct File {
        Profile profile{};
        std::string target, source;
        UniqueFd fd;
    };
    std::vector<File> files_;
    UniqueFd scratch_;
};

/// Compilers and shells start programs of their own and write files; other programs are one
/// process with open descriptors.
bool has_folder(Profile profile);

/// Threads of the user at this moment: RLIMIT_NPROC counts all of them, not those of one jail.
std::uint32_t threads_of(uid_t uid);

/// Ends and reaps children that are not ours by birth: what a killed init left behind.
void kill_adopted();

}  // namespace sandbox

// Landlock by its system calls: Debian's headers are older than the rights of newer kernels.
// Fails closed: what cannot be added is not allowed.
// See landlock.hpp.
#include "sandbox/helper/landlock.hpp"

#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox {

namespace {

constexpr std::uint64_t kTruncate = 1U << 14U, kIoctlDevice = 1U << 15U;
constexpr std::uint64_t kRead =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kKeep = kWrite | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG;
constexpr std::uint64_t kOfFiles = kWrite | LANDLOCK_ACCESS_FS_EXECUTE | kTruncate | kIoctlDevice;
constexpr std::uint64_t kNotOwn = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_EXECUTE |
                                  kIoctlDevice;

std::uint64_t rights_of(int abi) {
    std::uint64_t all = (1U << 13U) - 1;
    if (abi >= 2) all |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) all |= kTruncate;
    if (abi >= 5) all |= kIoctlDevice;
    return all;
}

std::uint64_t rights_of(Access access, std::uint64_t all) {
    switch (access) {
        case Access::read:
            return kRead;
        case Access::write:
            return kWrite;
        case Access::own:
            return all & ~kNotOwn;
        case Access::keep:
            return kKeep | (all & kTruncate);
    }
    return 0;
}

}  // namespace

int landlock_abi() {
    constexpr int kVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
    static const long kAbi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion);
    return kAbi < 1 ? 0 : static_cast<int>(kAbi);
}

UniqueFd make_ruleset(std::span<const Beneath> allowed) {
    const int abi = landlock_abi();
    if (abi == 0) return {};
    struct {
        std::uint64_t files, network, scopes;
    } attributes{rights_of(abi), abi >= 4 ? 3U : 0U, abi >= 6 ? 3U : 0U};
    const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    UniqueFd ruleset(
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
    for (const Beneath& one : allowed) {
        landlock_path_beneath_attr rule{};
        struct stat status {};
        const bool folder = ::fstat(one.fd, &status) == 0 && S_ISDIR(status.st_mode);
        // Rights of folders make the kernel refuse the whole rule of a file.
        rule.allowed_access =
            rights_of(one.access, attributes.files) & (folder ? ~std::uint64_t{0} : kOfFiles);
        rule.parent_fd = one.fd;
        (void)::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    return ruleset;
}

}  // namespace sandbox

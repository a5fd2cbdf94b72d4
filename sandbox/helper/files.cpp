// Reading and writing of kernel files.
// Does not follow anything a program made.
// See files.hpp.
#include "sandbox/helper/files.hpp"

#include "sandbox/unique_fd.hpp"

#include <cerrno>
#include <cstdint>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sandbox {

std::string read_file(int folder, const char* name) {
    const UniqueFd file(::openat(folder, name, O_RDONLY | O_CLOEXEC));
    std::string text;
    if (!file.valid()) return text;
    char buffer[4096];
    while (text.size() < 64U * 1024U) {
        const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
        if (n <= 0) break;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
}

std::string read_again(int fd) {
    char buffer[4096];
    const ssize_t n = ::pread(fd, buffer, sizeof buffer, 0);
    return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string();
}

bool write_file(int folder, const char* name, std::string_view text) {
    const UniqueFd file(::openat(folder, name, O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return false;
    return ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::vector<std::string> entries_of(int base, const char* name, std::size_t most) {
    std::vector<std::string> names;
    const int folder = ::openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR* listing = folder >= 0 ? ::fdopendir(folder) : nullptr;
    if (listing == nullptr) return names;
    while (names.size() < most) {
        const dirent* entry = ::readdir(listing);  // NOLINT(concurrency-mt-unsafe): one thread
        if (entry == nullptr) break;
        const std::string_view found = entry->d_name;
        if (found != "." && found != "..") names.emplace_back(found);
    }
    ::closedir(listing);
    return names;
}

namespace {

/// Its inode number: a pid means something only within its namespace.
std::uint64_t own_pid_namespace() {
    struct stat status {};
    return ::fstatat(host_proc(), "self/ns/pid", &status, 0) == 0 ? status.st_ino : 0;
}

}  // namespace

int host_proc() {
    static const UniqueFd kProc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return kProc.get();
}

int last_pid_file() {
    static const UniqueFd kFile(
        ::openat(host_proc(), "sys/kernel/ns_last_pid", O_RDWR | O_CLOEXEC));
    return kFile.get();
}

std::string group_prefix_of(int pid) {
    const std::string stat = read_file(host_proc(), (std::to_string(pid) + "/stat").c_str());
    std::size_t at = stat.rfind(')');  // a name may hold anything, spaces and brackets included
    if (at == std::string::npos) return {};
    for (int field = 2; field < 22; ++field) at = stat.find(' ', at + 1);
    const std::string start = stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
    static const std::string kBoot =
        read_file(host_proc(), "sys/kernel/random/boot_id").substr(0, 8);
    static const std::string kNamespace = std::to_string(own_pid_namespace());
    return "perfjudge-" + kBoot + "-" + kNamespace + "-" + std::to_string(pid) + "-" + start;
}

}  // namespace sandbox

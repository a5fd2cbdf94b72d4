// Small readings and writings of kernel files, relative to a folder's descriptor.
// Not for files that a program can write.
// Used by cgroup.cpp, world.cpp, portable.cpp and sampler.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// All of a file, at most 64 KiB ("" if it cannot be read). `folder` may be AT_FDCWD.
std::string read_file(int folder, const char* name);
/// All of an open kernel file, from its start, at most 4 KiB.
std::string read_again(int fd);
/// One write. False if it was refused; errno says why.
bool write_file(int folder, const char* name, std::string_view text);
/// Names in the folder `name` below `base`, without . and .., at most `most`. Follows no link.
std::vector<std::string> entries_of(int base, const char* name, std::size_t most = SIZE_MAX);
/// "perfjudge-BOOT-NAMESPACE-PID-START" of a process of our pid namespace; "" if it does not live.
std::string group_prefix_of(int pid);
/// Descriptor of ns_last_pid, whose writer names the next pid of its own namespace; -1 if there is
/// none. Opened at its first call.
int last_pid_file();
/// Descriptor of the host's /proc, kept from before the helper leaves the host's root.
int host_proc();

}  // namespace sandbox

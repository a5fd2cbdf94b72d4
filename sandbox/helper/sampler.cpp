// Walks the tree of processes below init.
// Never signals anyone: a pid read here may be reused a moment later.
// See sampler.hpp.
#include "sandbox/helper/sampler.hpp"

#include "sandbox/helper/cgroup.hpp"
#include "sandbox/helper/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace sandbox {

namespace {

constexpr std::size_t kMaxProcesses = 4096;

std::string file_of(pid_t pid, const char* name) {
    return read_file(host_proc(), (std::to_string(pid) + "/" + name).c_str());
}

/// Every thread has children of its own.
void append_children(pid_t pid, std::vector<pid_t>& all) {
    const std::string tasks = std::to_string(pid) + "/task";
    const int folder = ::openat(host_proc(), tasks.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* listing = folder >= 0 ? ::fdopendir(folder) : nullptr;
    if (listing == nullptr) return;
    while (const dirent* entry = ::readdir(listing)) {  // NOLINT(concurrency-mt-unsafe): one thread
        if (entry->d_name[0] == '.') continue;
        const std::string text =
            read_file(folder, (std::string(entry->d_name) + "/children").c_str());
        char* at = const_cast<char*>(text.c_str());
        for (char* end = nullptr; all.size() < kMaxProcesses; at = end) {
            const long child = std::strtol(at, &end, 10);
            if (end == at) break;
            all.push_back(static_cast<pid_t>(child));
        }
    }
    ::closedir(listing);
}

/// utime, stime, cutime and cstime: fields 14 to 17 of stat.
std::uint64_t cpu_ticks(const std::string& stat) {
    std::size_t at = stat.rfind(')');
    if (at == std::string::npos) return 0;
    for (int field = 2; field < 14; ++field) at = stat.find(' ', at + 1);
    std::uint64_t sum = 0;
    const char* text = stat.c_str() + at;
    for (int i = 0; i < 4; ++i) {
        char* end = nullptr;
        sum += std::strtoull(text, &end, 10);
        text = end;
    }
    return sum;
}

std::uint64_t kib_of(const std::string& status, std::string_view key) {
    const std::size_t at = status.find(key);
    return at == std::string::npos ? 0
                                   : std::strtoull(status.c_str() + at + key.size(), nullptr, 10);
}

/// Files of /box are not in it: the keeper asks their file system.
std::uint64_t memory_of(pid_t pid, Precision precision) {
    const std::string status = file_of(pid, "status");
    std::uint64_t anonymous = kib_of(status, "RssAnon:");
    if (precision == Precision::shares) {
        const std::string shares = file_of(pid, "smaps_rollup");
        if (!shares.empty()) anonymous = kib_of(shares, "Pss_Anon:");
    }
    return 1024 * (anonymous + kib_of(status, "VmPTE:") + kib_of(status, "VmSwap:"));
}

}  // namespace

Sample sample_descendants(pid_t init, pid_t zygote, Precision precision) {
    std::vector<pid_t> all;
    append_children(init, all);
    all.erase(std::remove(all.begin(), all.end(), zygote), all.end());  // it has no children
    for (std::size_t i = 0; i < all.size() && all.size() < kMaxProcesses; ++i)
        append_children(all[i], all);
    const auto tick_ns = 1'000'000'000U / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    Sample sample;
    sample.processes = static_cast<std::uint32_t>(all.size());
    for (const pid_t pid : all) {
        sample.cpu_ns += cpu_ticks(file_of(pid, "stat")) * tick_ns;
        sample.memory_bytes += memory_of(pid, precision);
    }
    return sample;
}

}  // namespace sandbox

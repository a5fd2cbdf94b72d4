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

#include <unistd.h>

namespace sandbox {

namespace {

constexpr std::size_t kMaxProcesses = 4096;

std::string file_of(pid_t pid, const char* name) {
    return read_file(host_proc(), (std::to_string(pid) + "/" + name).c_str());
}

/// "PID/task/TID/" of every thread of a process.
std::vector<std::string> thread_folders(pid_t pid) {
    const std::string tasks = std::to_string(pid) + "/task";
    std::vector<std::string> threads = entries_of(host_proc(), tasks.c_str(), kMaxProcesses);
    for (std::string& thread : threads) thread = tasks + "/" + thread + "/";
    return threads;
}

/// Every thread has children of its own.
void append_children(pid_t pid, std::vector<pid_t>& all) {
    for (const std::string& thread : thread_folders(pid)) {
        const std::string text = read_file(host_proc(), (thread + "children").c_str());
        char* at = const_cast<char*>(text.c_str());
        for (char* end = nullptr; all.size() < kMaxProcesses; at = end) {
            const long child = std::strtol(at, &end, 10);
            if (end == at) break;
            all.push_back(static_cast<pid_t>(child));
        }
    }
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

/// The value of a line. `key` begins with the end of the line before it: the first line is a name
/// that the process has chosen.
std::uint64_t kib_of(const std::string& status, std::string_view key) {
    const std::size_t at = status.find(key);
    return at == std::string::npos ? 0
                                   : std::strtoull(status.c_str() + at + key.size(), nullptr, 10);
}

/// Files of /box are not in it: the keeper asks their file system. A thread that has ended says
/// nothing of memory, and the first one may end before the others: whoever says it is asked.
std::uint64_t memory_of(pid_t pid, Precision precision) {
    for (const std::string& thread : thread_folders(pid)) {
        const std::string status = read_file(host_proc(), (thread + "status").c_str());
        if (status.find("\nRssAnon:") == std::string::npos) continue;
        std::uint64_t anonymous = kib_of(status, "\nRssAnon:");
        if (precision == Precision::shares) {
            const std::string shares = read_file(host_proc(), (thread + "smaps_rollup").c_str());
            if (!shares.empty()) anonymous = kib_of(shares, "\nPss_Anon:");
        }
        return 1024 * (anonymous + kib_of(status, "\nVmPTE:") + kib_of(status, "\nVmSwap:"));
    }
    return 0;
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

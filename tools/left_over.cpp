// Looks into /proc and the control groups that this process could use.
// Takes a helper's group by its name: perfjudge-BOOT-NAMESPACE-PID-START.
// See left_over.hpp.
#include "tools/left_over.hpp"

#include "sandbox/hierarchy.hpp"
#include "sandbox/kernel_file.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tools {

namespace {

namespace fs = std::filesystem;

constexpr int kPauses = 250;  // of 20 ms

std::string own_pid_namespace() {
    struct stat status {};
    return ::stat("/proc/self/ns/pid", &status) == 0 ? std::to_string(status.st_ino) : "";
}

/// A group of a helper of our pid namespace that does not run any more.
bool is_dead(const std::string& name, const std::string& pid_namespace) {
    const auto parts = sandbox::split(std::string_view(name), '-');
    if (parts.size() != 5 || parts[0] != "perfjudge" || parts[2] != pid_namespace) return false;
    std::error_code error;
    return !fs::exists(fs::path("/proc") / parts[3], error);
}

std::set<std::string> our_mounts(std::string_view mountinfo) {
    std::set<std::string> found;
    for (const std::string_view line : sandbox::split(mountinfo, '\n')) {
        for (const char* ours : {" - tmpfs world ", " - tmpfs view ", " - tmpfs box "}) {
            const auto fields = sandbox::split(line, ' ');
            if (line.find(ours) != std::string_view::npos) found.emplace(fields[4]);
        }
    }
    return found;
}

std::set<std::string> dead_groups(std::string_view self_cgroup, std::string_view mountinfo) {
    std::set<std::string> found;
    const std::string pid_namespace = own_pid_namespace();
    for (const sandbox::Hierarchy& where : sandbox::find_hierarchies(self_cgroup, mountinfo)) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(where.path, error)) {
            if (is_dead(entry.path().filename().string(), pid_namespace))
                found.insert(entry.path().string());
        }
    }
    return found;
}

}  // namespace

void adopt_orphans() {
    (void)::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

Traces traces_now() {
    const std::string mountinfo = sandbox::text_of("/proc/self/mountinfo");
    return {our_mounts(mountinfo), dead_groups(sandbox::text_of("/proc/self/cgroup"), mountinfo)};
}

std::set<std::string> children_left() {
    for (int pause = 0;; ++pause) {
        pid_t child = 0;
        do {
            child = ::waitpid(-1, nullptr, WNOHANG | __WALL);
        } while (child > 0);
        if (child < 0) return {};
        if (pause == kPauses) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::set<std::string> pids;
    const std::string list = sandbox::text_of("/proc/thread-self/children");
    for (const std::string_view pid : sandbox::split(std::string_view(list), ' '))
        if (!pid.empty()) pids.emplace(pid);
    if (pids.empty()) pids.insert("unknown");
    return pids;
}

}  // namespace tools

// Five writes to files of the kernel, undone if the last one is refused.
// Kills and starts nothing.
// See lend.hpp.
#include "sandbox/lend.hpp"

#include "sandbox/hierarchy.hpp"
#include "sandbox/kernel_file.hpp"

#include <cerrno>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace sandbox {

namespace fs = std::filesystem;

namespace {

std::string words_to_list(std::string text) {
    for (char& c : text)
        if (c == ' ' || c == '\n') c = ',';
    return text;
}

std::string because(const fs::path& folder, const std::string& what) {
    return "no control group to use below " + folder.string() + ": " + what +
           "; start with: systemd-run --user --scope -p Delegate=yes perfjudge ...";
}

}  // namespace

std::string lend_group(const fs::path& folder, int pid) {
    const std::string own = std::to_string(pid);
    const std::string available = words_to_list(text_of(folder / "cgroup.controllers"));
    if (!lists(available, "memory") || !lists(available, "pids"))
        return because(folder, "the memory and pids controllers are not delegated");
    const std::string members = text_of(folder / "cgroup.procs");
    for (const std::string_view line : split(members, '\n')) {
        if (!line.empty() && line != own) return because(folder, "other processes live in it");
    }
    const fs::path leaf = folder / kLeafName;
    if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST)
        return because(folder, "it may not have children");
    if (put_text(leaf / "cgroup.procs", own) != 0)
        return because(folder, "its processes may not be moved");
    if (const int number = put_text(folder / "cgroup.subtree_control", "+memory +pids");
        number != 0) {
        (void)put_text(folder / "cgroup.procs", own);
        (void)::rmdir(leaf.c_str());
        return because(folder, std::generic_category().message(number));
    }
    return {};
}

std::string lend_cgroup() {
    const std::string groups = text_of("/proc/self/cgroup");
    for (const Hierarchy& hierarchy : find_hierarchies(groups, text_of("/proc/self/mountinfo"))) {
        if (hierarchy.version == 1) return {};  // limits need no such room there
    }
    for (const Hierarchy& hierarchy : find_hierarchies(groups, text_of("/proc/self/mountinfo"))) {
        if (groups.find(std::string("/") + std::string(kLeafName) + "\n") != std::string::npos)
            return {};
        return lend_group(hierarchy.path, ::getpid());
    }
    return {};
}

}  // namespace sandbox

// Parsing of /proc/self/cgroup and /proc/self/mountinfo.
// Opens nothing.
// See hierarchy.hpp.
#include "sandbox/hierarchy.hpp"

#include <optional>
#include <utility>

namespace sandbox {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

bool lists(std::string_view options, std::string_view word) {
    for (const std::string_view option : split(options, ',')) {
        if (option == word) return true;
    }
    return false;
}

namespace {

const std::string kLeaf = "/" + std::string(kLeafName);

struct Mount {
    std::string_view root, point, type, options;
};

/// "36 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"
std::optional<Mount> parse_mount(std::string_view line) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) return std::nullopt;
    const auto before = split(line.substr(0, dash), ' ');
    const auto after = split(line.substr(dash + 3), ' ');
    if (before.size() < 6 || after.size() < 3) return std::nullopt;
    return Mount{before[3], before[4], after[0], after[2]};
}

std::vector<Controller> controllers_in(std::string_view names) {
    std::vector<Controller> found;
    if (lists(names, "memory")) found.push_back(Controller::memory);
    if (lists(names, "pids")) found.push_back(Controller::pids);
    if (lists(names, "cpuacct")) found.push_back(Controller::cpu);
    return found;
}

/// Path of a group below a mount that shows the hierarchy from `root` on.
std::string below(const Mount& mount, std::string_view group) {
    if (mount.root != "/" && group.starts_with(mount.root)) group.remove_prefix(mount.root.size());
    if (group == "/") group = "";
    return std::string(mount.point) + std::string(group);
}

std::optional<Hierarchy> hierarchy_of(std::string_view line, std::string_view mountinfo) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    std::string_view group = line.substr(second + 1);
    const bool unified = names.empty();
    const auto wanted = unified ? std::vector{Controller::memory, Controller::pids, Controller::cpu}
                                : controllers_in(names);
    if (wanted.empty()) return std::nullopt;
    for (const std::string_view text : split(mountinfo, '\n')) {
        const auto mount = parse_mount(text);
        if (!mount) continue;
        if (unified && mount->type == "cgroup2") {
            // The caller was moved into a leaf so that its old group may have children with limits.
            if (group.ends_with(kLeaf)) group.remove_suffix(kLeaf.size());
            return Hierarchy{below(*mount, group), 2, wanted};
        }
        if (!unified && mount->type == "cgroup" && lists(mount->options, split(names, ',').front()))
            return Hierarchy{below(*mount, group), 1, wanted};
    }
    return std::nullopt;
}

}  // namespace

std::vector<Hierarchy> find_hierarchies(std::string_view self_cgroup, std::string_view mountinfo) {
    std::vector<Hierarchy> found;
    for (const std::string_view line : split(self_cgroup, '\n')) {
        if (auto hierarchy = hierarchy_of(line, mountinfo)) found.push_back(std::move(*hierarchy));
    }
    return found;
}

}  // namespace sandbox

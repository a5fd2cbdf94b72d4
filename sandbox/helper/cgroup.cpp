// Control groups of version 1 and 2 behind one class.
// Does not decide limits or verdicts.
// See cgroup.hpp.
#include "sandbox/helper/cgroup.hpp"

#include "sandbox/helper/files.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sandbox {

namespace {

constexpr std::string_view kPrefix = "perfjudge-";

void kill_members(int folder) {
    write_file(folder, "cgroup.kill", "1");  // version 2; version 1 has only the list
    const std::string members = read_file(folder, "cgroup.procs");
    for (const std::string_view line : split(members, '\n')) {
        int pid = 0;
        (void)std::from_chars(line.data(), line.data() + line.size(), pid);
        if (pid > 0) (void)::kill(pid, SIGKILL);
    }
}

/// Removes groups whose helper is dead; what still runs in them is killed first.
void sweep(int base) {
    for (const std::string& name : entries_of(base, ".")) {
        if (!is_orphan(name)) continue;
        const UniqueFd folder(::openat(base, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.valid()) kill_members(folder.get());
        (void)::unlinkat(base, name.c_str(), AT_REMOVEDIR);
    }
}

bool lends_v2(int folder, std::vector<Controller>& controllers) {
    const std::string enabled = read_file(folder, "cgroup.subtree_control");
    std::string names = enabled;
    for (char& c : names)
        if (c == ' ' || c == '\n') c = ',';
    controllers.clear();
    if (lists(names, "memory")) controllers.push_back(Controller::memory);
    if (lists(names, "pids")) controllers.push_back(Controller::pids);
    controllers.push_back(Controller::cpu);  // cpu.stat exists without the controller
    return controllers.size() > 1;
}

/// CPU time of this process since its start. What it used before it joined its group makes the
/// difference to the group's counter a constant, and only differences are ever used.
std::int64_t own_cpu_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::uint64_t value_of(std::string_view text, std::string_view key) {
    for (const std::string_view line : split(text, '\n')) {
        if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ')
            continue;
        std::uint64_t value = 0;
        (void)std::from_chars(line.data() + key.size() + 1, line.data() + line.size(), value);
        return value;
    }
    return 0;
}

std::string group_prefix() {
    return group_prefix_of(::getpid());
}

bool is_orphan(std::string_view name) {
    const auto parts = split(name, '-');
    const std::string own = group_prefix();
    const auto ours = split(own, '-');
    if (!name.starts_with(kPrefix) || parts.size() < 5 || parts[2] != ours[2]) return false;
    int pid = 0;
    (void)std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), pid);
    const std::string live = group_prefix_of(pid);
    return pid > 0 && name != live && !name.starts_with(live + "-");
}

CgroupHost CgroupHost::open() {
    CgroupHost host;
    for (Hierarchy& hierarchy : find_hierarchies(read_file(AT_FDCWD, "/proc/self/cgroup"),
                                                 read_file(AT_FDCWD, "/proc/self/mountinfo"))) {
        UniqueFd folder(::open(hierarchy.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!folder.valid() || ::faccessat(folder.get(), ".", W_OK, AT_EACCESS) != 0) continue;
        if (hierarchy.version == 2 && !lends_v2(folder.get(), hierarchy.controllers)) continue;
        sweep(folder.get());
        host.bases_.push_back({std::move(hierarchy), std::move(folder)});
    }
    return host;
}

bool CgroupHost::lends(Controller controller) const {
    for (const Base& base : bases_) {
        for (const Controller has : base.hierarchy.controllers)
            if (has == controller) return true;
    }
    return false;
}

Result<Cgroup> CgroupHost::create(std::string_view name) const {
    Cgroup group;
    for (const Base& base : bases_) {
        Cgroup::Part part;
        part.hierarchy = base.hierarchy;
        part.name = name;
        if (::mkdirat(base.folder.get(), part.name.c_str(), 0755) != 0)
            return tl::unexpected(
                Error{Error::Code::setup_failed, errno,
                      "cannot make cgroup " + base.hierarchy.path + "/" + part.name});
        part.base = base.folder.get();
        part.folder.reset(
            ::openat(part.base, part.name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        part.procs.reset(::openat(part.folder.get(), "cgroup.procs", O_WRONLY | O_CLOEXEC));
        const bool v2 = part.hierarchy.version == 2;
        const auto open = [&](const char* file) {
            return ::openat(part.folder.get(), file, O_RDONLY | O_CLOEXEC);
        };
        for (const Controller controller : part.hierarchy.controllers) {
            switch (controller) {
                case Controller::cpu:
                    part.usage.reset(open(v2 ? "cpu.stat" : "cpuacct.usage"));
                    break;
                case Controller::memory:
                    part.oom.reset(open(v2 ? "memory.events" : "memory.oom_control"));
                    break;
                case Controller::pids:
                    part.refused.reset(open("pids.events"));
                    break;
            }
        }
        const bool opened = part.procs.valid();
        group.parts_.push_back(std::move(part));
        if (!opened)
            return tl::unexpected(
                Error{Error::Code::setup_failed, errno, "cannot open cgroup.procs of a new group"});
    }
    return group;
}

Cgroup& Cgroup::operator=(Cgroup&& other) noexcept {
    if (this != &other) {
        Cgroup old(std::move(*this));
        parts_ = std::move(other.parts_);
        other.parts_.clear();
    }
    return *this;
}

Cgroup::~Cgroup() {
    for (const Part& part : parts_) {
        if (part.inherited)
            write_file(part.base, "cgroup.procs", "0");  // a group must be empty to go
        (void)::unlinkat(part.base, part.name.c_str(), AT_REMOVEDIR);
    }
}

const Cgroup::Part* Cgroup::part(Controller controller) const {
    for (const Part& part : parts_) {
        for (const Controller has : part.hierarchy.controllers)
            if (has == controller) return &part;
    }
    return nullptr;
}

bool Cgroup::has(Controller controller) const {
    return part(controller) != nullptr;
}

std::vector<int> Cgroup::procs() const {
    std::vector<int> fds;
    for (const Part& part : parts_)
        if (!part.inherited) fds.push_back(part.procs.get());
    return fds;
}

void Cgroup::enter() {
    for (Part& part : parts_) {
        const auto& controllers = part.hierarchy.controllers;
        if (std::find(controllers.begin(), controllers.end(), Controller::memory) !=
            controllers.end())
            continue;
        part.inherited = write_file(part.folder.get(), "cgroup.procs", "0");
    }
}

Result<void> Cgroup::set(const Limits& limits, std::uint32_t relatives) {
    const Part* const pids = part(Controller::pids);
    if (pids == nullptr || !pids->inherited) relatives = 0;
    // A jail runs many cases under the same limits.
    if (set_ == limits && relatives_ == relatives) return {};
    relatives_ = relatives;
    const auto failed = [](std::string_view file) {
        return tl::unexpected(Error{Error::Code::setup_failed, errno,
                                    "cannot set " + std::string(file) + " of a new group"});
    };
    if (const Part* memory = part(Controller::memory)) {
        const bool v2 = memory->hierarchy.version == 2;
        const int folder = memory->folder.get();
        const std::string bytes = std::to_string(limits.memory_bytes);
        const char* file = v2 ? "memory.max" : "memory.limit_in_bytes";
        const char* swap = v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
        // Memory may never exceed memory+swap, so the order depends on which of the two grows.
        if (!write_file(folder, file, bytes) &&
            (!write_file(folder, swap, bytes) || !write_file(folder, file, bytes)))
            return failed(file);
        // Where swap is not accounted, readings count what was swapped out.
        if (!write_file(folder, swap, v2 ? "0" : bytes) && !v2)
            write_file(folder, "memory.swappiness", "0");
    }
    if (pids != nullptr) {
        if (!write_file(pids->folder.get(), "pids.max",
                        std::to_string(limits.processes + relatives_)))
            return failed("pids.max");
    }
    set_ = limits;
    return {};
}

void Cgroup::make_room() {
    if (relatives_ == 0) return;  // none was born in the group
    write_file(part(Controller::pids)->folder.get(), "pids.max", "max");
    relatives_ = 0;
    set_.reset();
}

std::int64_t Cgroup::cpu_ns() const {
    const Part* const cpu = part(Controller::cpu);
    if (cpu == nullptr) return 0;
    const std::string text = read_again(cpu->usage.get());
    const std::uint64_t used = cpu->hierarchy.version == 2
                                   ? value_of(text, "usage_usec") * 1000
                                   : std::strtoull(text.c_str(), nullptr, 10);
    return static_cast<std::int64_t>(used) - (cpu->inherited ? own_cpu_ns() : 0);
}

Cgroup::Counters Cgroup::counters() const {
    Counters counters;
    counters.cpu_ns = cpu_ns();
    if (const Part* memory = part(Controller::memory))
        counters.oom_kills = value_of(read_again(memory->oom.get()), "oom_kill");
    if (const Part* pids = part(Controller::pids))
        counters.refused_forks = value_of(read_again(pids->refused.get()), "max");
    return counters;
}

Cgroup::Gauges Cgroup::gauges() const {
    Gauges gauges;
    if (const Part* memory = part(Controller::memory)) {
        const std::string text = read_file(memory->folder.get(), "memory.stat");
        gauges.memory_bytes =
            memory->hierarchy.version == 2
                ? value_of(text, "anon") + value_of(text, "shmem")
                : value_of(text, "rss") + value_of(text, "shmem") + value_of(text, "swap");
    }
    if (const Part* pids = part(Controller::pids)) {
        const auto now = static_cast<std::uint32_t>(
            std::strtoul(read_file(pids->folder.get(), "pids.current").c_str(), nullptr, 10));
        gauges.processes = now - std::min(now, relatives_);
    }
    return gauges;
}

}  // namespace sandbox

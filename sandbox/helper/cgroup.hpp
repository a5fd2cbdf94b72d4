// Optional limiter: one control group per jail, version 1 or 2.
// Not part of what a mode promises: a host that lends none is reported, not refused.
// Used by the keeper; opened before the helper leaves the host's root.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/hierarchy.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/unique_fd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// The number behind `key` in "key value" lines; 0 if absent.
std::uint64_t value_of(std::string_view text, std::string_view key);

/// The group of a helper's programs: each joins before anything else; helper and init stay outside.
class Cgroup {
  public:
    Cgroup() = default;
    Cgroup(Cgroup&&) noexcept = default;
    Cgroup& operator=(Cgroup&& other) noexcept;
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;
    ~Cgroup();  // removes the folders; they are empty by then

    [[nodiscard]] bool has(Controller controller) const;
    /// Joins this process wherever memory is not limited: joining costs a tenth of a bare spawn
    /// each time, and whoever is born in a group need not join. Memory is left out, so that an
    /// out-of-memory kill can only hit a program. Version 2 has one hierarchy for everything:
    /// nothing changes there.
    void enter();
    /// Descriptors to which a process writes "0" to join what it was not born in.
    [[nodiscard]] std::vector<int> procs() const;
    /// `relatives` processes of ours (this one, init, a zygote) count towards the limit of
    /// processes where they were born in the group, and are added to it.
    Result<void> set(const Limits& limits, std::uint32_t relatives);
    /// Before processes of ours are made: what the last run might have holds them back no more.
    void make_room();

    /// Since the group was made. Cheap: three readings of open files.
    struct Counters {
        std::int64_t cpu_ns = 0;  // may be below 0: see Cgroup::enter()
        std::uint64_t oom_kills = 0;
        std::uint64_t refused_forks = 0;
    };
    [[nodiscard]] Counters counters() const;
    [[nodiscard]] std::int64_t cpu_ns() const;
    /// CPU between two readings. The kernel's two clocks differ by a tick: never below 0.
    static std::uint64_t cpu_between(const Counters& from, const Counters& to) {
        return to.cpu_ns > from.cpu_ns ? static_cast<std::uint64_t>(to.cpu_ns - from.cpu_ns) : 0;
    }
    /// Now. Not cheap: the kernel sums up memory first.
    struct Gauges {
        std::uint64_t memory_bytes = 0;  // anonymous and shared memory, in swap as well
        std::uint32_t processes = 0;
    };
    [[nodiscard]] Gauges gauges() const;

  private:
    friend class CgroupHost;
    struct Part {
        Hierarchy hierarchy;
        int base = -1;  // owned by the CgroupHost
        std::string name;
        UniqueFd folder, procs;
        UniqueFd usage, oom, refused;  // of the controllers that this hierarchy has
        bool inherited = false;        // this process is a member, so its children are born as ones
    };
    [[nodiscard]] const Part* part(Controller controller) const;
    std::vector<Part> parts_;
    std::uint32_t relatives_ = 0;
    std::optional<Limits> set_;  // what the kernel was told last
};

/// Where groups can be made on this host.
class CgroupHost {
  public:
    /// Never fails: what is not lent is left out. Removes what dead helpers left behind.
    static CgroupHost open();
    /// A new group in every hierarchy that is lent. Errors: setup_failed.
    Result<Cgroup> create(std::string_view name) const;
    [[nodiscard]] bool lends(Controller controller) const;

  private:
    struct Base {
        Hierarchy hierarchy;
        UniqueFd folder;
    };
    std::vector<Base> bases_;
};

/// "perfjudge-BOOT-NAMESPACE-PID-START": a name that tells processes of the same pid namespace, and
/// only them, whether its maker still lives.
std::string group_prefix();
/// True if its maker was of our pid namespace and is gone. What another namespace made is left
/// alone: its pids mean nothing here.
bool is_orphan(std::string_view name);

}  // namespace sandbox

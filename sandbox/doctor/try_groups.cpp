// Makes one group in each hierarchy that this process is in, looks at its files, removes it.
// Puts no process into it.
// See groups.hpp.
#include "sandbox/doctor/groups.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sandbox::doctor {

namespace {

namespace fs = std::filesystem;

bool writable(const fs::path& file) {
    return ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0;
}

bool has_controller(const fs::path& group, int version, Controller controller) {
    switch (controller) {
        case Controller::memory:
            return writable(group / (version == 2 ? "memory.max" : "memory.limit_in_bytes"));
        case Controller::pids:
            return writable(group / "pids.max");
        case Controller::cpu:
            return ::access((group / (version == 2 ? "cpu.stat" : "cpuacct.usage")).c_str(),
                            R_OK) == 0;
    }
    return false;
}

GroupTried try_group(const Hierarchy& where) {
    GroupTried tried;
    tried.where = where;
    // Not a name that a helper sweeps; one that an earlier probe left is used again.
    const fs::path group = fs::path(where.path) / "perfjudge-doctor";
    if (::mkdir(group.c_str(), 0755) != 0 && errno != EEXIST) {
        tried.error = errno;
        tried.step = "make a group";
        return tried;
    }
    if (writable(group / "cgroup.procs")) {
        for (const Controller controller : where.controllers)
            if (has_controller(group, where.version, controller)) tried.lent.push_back(controller);
        tried.swap = writable(
            group / (where.version == 2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes"));
    } else {
        tried.error = errno;
        tried.step = "cgroup.procs of a group";
    }
    (void)::rmdir(group.c_str());
    return tried;
}

}  // namespace

std::vector<GroupTried> try_groups(const HostTexts& host) {
    std::vector<GroupTried> all;
    for (const Hierarchy& where : find_hierarchies(host.self_cgroup, host.mountinfo)) {
        GroupTried tried = try_group(where);
        // The helper takes nothing of a hierarchy of version 2 that gives no limits.
        if (where.version == 2 && tried.lent == std::vector{Controller::cpu}) tried.lent.clear();
        all.push_back(std::move(tried));
    }
    return all;
}

}  // namespace sandbox::doctor

// Tests of the pure parts of sandbox/helper/cgroup.hpp: which hierarchies a host lends.
// No cgroup is made.
// Run by the unit suite.
#include "sandbox/helper/cgroup.hpp"

#include <doctest/doctest.h>

using sandbox::Controller;
using sandbox::find_hierarchies;
using sandbox::Hierarchy;

TEST_CASE("cgroup: version 1 controllers are found in their own hierarchies") {
    const auto found = find_hierarchies(
        "9:name=systemd:/\n8:pids:/user/a\n4:memory:/x\n2:cpu,cpuacct:/\n0::/\n",
        "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
        "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
    REQUIRE(found.size() == 3);
    CHECK(found[0] == Hierarchy{"/sys/fs/cgroup/pids/user/a", 1, {Controller::pids}});
    CHECK(found[1] == Hierarchy{"/sys/fs/cgroup/memory/x", 1, {Controller::memory}});
    CHECK(found[2] == Hierarchy{"/sys/fs/cgroup/cpu,cpuacct", 1, {Controller::cpu}});
}

TEST_CASE("cgroup: version 2 is one hierarchy, and the caller's own leaf is left out") {
    const char* mounts = "30 23 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    const auto found = find_hierarchies("0::/user.slice/run-1.scope/perfjudge-host\n", mounts);
    REQUIRE(found.size() == 1);
    CHECK(found[0].version == 2);
    CHECK(found[0].path == "/sys/fs/cgroup/user.slice/run-1.scope");
    CHECK(find_hierarchies("0::/a\n", mounts).front().path == "/sys/fs/cgroup/a");
}

TEST_CASE("cgroup: a mount that shows a part of the hierarchy is taken from there") {
    const auto found = find_hierarchies(
        "4:memory:/docker/abc/inner\n",
        "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].path == "/sys/fs/cgroup/memory/inner");
}

TEST_CASE("cgroup: texts that are no such files give nothing") {
    for (const char* text : {"", "\n\n", ":", "::", "4:memory", "4:memory:/x", "x"})
        CHECK(find_hierarchies(text, "35 31 - cgroup\n - \n1 2 3").empty());
}

TEST_CASE("cgroup: counters are read by their whole key") {
    const char* text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\nrss_huge 5\nrss 7\n";
    CHECK(sandbox::value_of(text, "oom_kill") == 3);
    CHECK(sandbox::value_of(text, "rss") == 7);
    CHECK(sandbox::value_of(text, "shmem") == 0);
}

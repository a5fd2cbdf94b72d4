// Tests of sandbox/lend.hpp on folders of plain files that look like version 2 groups.
// Touches no group of the kernel.
// Run by the unit suite.
#include "sandbox/lend.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

std::string get(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A group as the kernel would show it; the leaf's own file is there already.
fs::path make_group(const fs::path& folder, const std::string& controllers,
                    const std::string& procs) {
    put(folder / "cgroup.controllers", controllers);
    put(folder / "cgroup.procs", procs);
    put(folder / "cgroup.subtree_control", "");
    fs::create_directory(folder / "perfjudge-host");
    put(folder / "perfjudge-host/cgroup.procs", "");
    return folder;
}

}  // namespace

TEST_CASE("lend: the caller moves into a leaf and its siblings get controllers") {
    const support::TempDir dir;
    const fs::path group = make_group(dir.path(), "cpu memory pids\n", "77\n");
    CHECK(sandbox::lend_group(group, 77) == "");
    CHECK(get(group / "perfjudge-host/cgroup.procs") == "77");
    CHECK(get(group / "cgroup.subtree_control") == "+memory +pids");
}

TEST_CASE("lend: a group with strangers in it is left alone, and the remedy is named") {
    const support::TempDir dir;
    const fs::path group = make_group(dir.path(), "memory pids\n", "77\n78\n");
    const std::string why = sandbox::lend_group(group, 77);
    CHECK(why.find("other processes") != std::string::npos);
    CHECK(why.find("systemd-run") != std::string::npos);
    CHECK(get(group / "perfjudge-host/cgroup.procs") == "");
    CHECK(get(group / "cgroup.subtree_control") == "");
}

TEST_CASE("lend: a group without the controllers is left alone") {
    const support::TempDir dir;
    for (const char* controllers : {"", "cpu\n", "memory\n", "pids cpu\n"}) {
        const fs::path group = dir.path() / ("g" + std::to_string(std::string(controllers).size()));
        fs::create_directory(group);
        make_group(group, controllers, "77\n");
        CHECK(sandbox::lend_group(group, 77).find("not delegated") != std::string::npos);
    }
}

TEST_CASE("lend: a refusal at the last step undoes the first ones") {
    const support::TempDir dir;
    const fs::path group = make_group(dir.path(), "memory pids\n", "77\n");
    fs::remove(group / "cgroup.subtree_control");  // cannot be opened: as good as refused
    CHECK(sandbox::lend_group(group, 77).find("No such file") != std::string::npos);
    CHECK(get(group / "cgroup.procs").starts_with("77"));
}

// Tests of sandbox/helper/portable.cpp: the private folder, its removal, the host's names of views.
// Restricts nobody: tests/probes does.
// Run in suite unit.
#include "sandbox/helper/portable.hpp"

#include "sandbox/helper/cgroup.hpp"
#include "sandbox/helper/world.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using sandbox::PrivateFolder;
using sandbox::Profile;
using sandbox::UniqueFd;

namespace {

void write(const fs::path& path, std::size_t bytes) {
    std::ofstream(path) << std::string(bytes, 'x');
}

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// There is nothing below portable mode: a kernel without Landlock gets an error and no more.
bool refused_without_landlock() {
    if (sandbox::landlock_abi() > 0) return false;
    const auto refused = sandbox::Shown::open({}, "/tmp");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == sandbox::Error::Code::host_unsupported);
    return true;
}

}  // namespace

TEST_CASE("private folder: only its owner may enter, and it goes with everything in it") {
    const support::TempDir scratch;
    const fs::path outside = scratch.path() / "outside";
    write(outside, 10);
    const UniqueFd base(::open(scratch.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    {
        auto made = PrivateFolder::make(base.get(), ::geteuid(), ::getegid());
        REQUIRE(made.has_value());
        const PrivateFolder folder = std::move(*made);
        fs::path path;
        for (const auto& entry : fs::directory_iterator(scratch.path()))
            if (entry.is_directory()) path = entry.path();
        CHECK(path.filename().string().starts_with(sandbox::group_prefix() + "-"));
        CHECK_FALSE(sandbox::is_orphan(path.filename().string()));
        struct stat status {};
        REQUIRE(::stat(path.c_str(), &status) == 0);
        CHECK((status.st_mode & 07777U) == 0700U);
        CHECK(folder.usage(10).files == 0);
        write(path / "a", 100'000);
        fs::create_symlink(outside, path / "link");
        CHECK(folder.usage(10).files == 2);
        CHECK(folder.usage(1).files == 2);  // stops at one more than asked for
        CHECK(folder.usage(10).bytes >= 100'000);
        CHECK(folder.usage(10).bytes < 200'000);
        // Nobody can take the next name: it is not known.
        CHECK(PrivateFolder::make(base.get(), ::geteuid(), ::getegid()).has_value());
        CHECK(fs::exists(path / "a"));
    }
    CHECK(fs::exists(outside));
    CHECK(entries(scratch.path()) == 1);
}

TEST_CASE("shown: folders of dead helpers are removed, others stay") {
    if (refused_without_landlock()) return;
    const support::TempDir scratch;
    const std::string own = sandbox::group_prefix();
    const std::string dead = own.substr(0, own.rfind('-')) + "-1";  // another start time
    const std::string foreign = "perfjudge-00000000-1-2-3";
    const std::string own_folder = own + "-77", dead_folder = dead + "-77", longer = own + "7";
    for (const std::string& name : {own, dead, foreign, own_folder, dead_folder, longer})
        fs::create_directory(scratch.path() / name);
    write(scratch.path() / dead / "source.cpp", 10);
    const sandbox::View view{Profile::compile, {}};
    REQUIRE(sandbox::Shown::open({view}, scratch.path()).has_value());
    CHECK(fs::exists(scratch.path() / own));
    CHECK(fs::exists(scratch.path() / foreign));
    CHECK(fs::exists(scratch.path() / own_folder));
    for (const std::string& name : {dead, dead_folder, longer})
        CHECK_FALSE(fs::exists(scratch.path() / name));
}

TEST_CASE("shown: names of a view become the host's, and what is missing is named") {
    if (refused_without_landlock()) return;
    using sandbox::ViewEntry;
    const sandbox::View view{Profile::native,
                             {{ViewEntry::Kind::bind, "/program/sh", "/bin/sh"},
                              {ViewEntry::Kind::link, "/lib", "usr/lib"}}};
    auto shown = sandbox::Shown::open({view}, "/nowhere");  // programs need no folder
    REQUIRE(shown.has_value());
    CHECK(shown->host_path(Profile::native, "/program/sh") == "/bin/sh");
    CHECK(shown->host_path(Profile::compile, "/program/sh") == "/program/sh");
    CHECK(shown->host_path(Profile::native, "/usr/bin/g++") == "/usr/bin/g++");
    const sandbox::View absent{Profile::native, {{ViewEntry::Kind::bind, "/x", "/nowhere/x"}}};
    const auto failed = sandbox::Shown::open({absent}, "/tmp");
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().what.find("/nowhere/x") != std::string::npos);
    const auto no_scratch = sandbox::Shown::open({{Profile::compile, {}}}, "/nowhere");
    REQUIRE_FALSE(no_scratch.has_value());
    CHECK(no_scratch.error().what.find("TMPDIR") != std::string::npos);
}

TEST_CASE("jail uid: one per helper, within what is mapped, never root") {
    using sandbox::jail_uid_in;
    const std::string all = "         0          0 4294967295\n", few = "0 100000 65536\n";
    CHECK(jail_uid_in(all, 77) == 0x70000000 + 77);
    CHECK(jail_uid_in(few, 77) == 65534 - 77);
    CHECK(jail_uid_in(few, 4096 + 77) == 65534 - 77);
    for (const pid_t pid : {1, 4095, 4096, 4194304}) {
        CHECK(jail_uid_in(few, pid) > 60000);
        CHECK(jail_uid_in(few, pid) < 65535);
    }
    for (const char* none : {"0 0 1\n", "0 1000 1\n", "0 100000 4098\n", "", "0 0"})
        CHECK(jail_uid_in(none, 77) == 0);
}

TEST_CASE("threads of a user: this one is among them") {
    CHECK(sandbox::threads_of(::geteuid()) >= 1);
    CHECK(sandbox::threads_of(0x6fffffff) == 0);
}

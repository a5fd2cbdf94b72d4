// Tests of grader/lonely.hpp in one process: to flock, two Hosts are two workers.
// Nothing here waits for a clock.
// Run by the unit suite.
#include "grader/lonely.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/file.h>

namespace {

struct Folder {
    Folder() {
        std::string text = (std::filesystem::temp_directory_path() / "lonely-XXXXXX").string();
        REQUIRE(::mkdtemp(text.data()) != nullptr);
        path = text;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

/// Whether a newcomer could take the lock now.
bool free_for(const std::filesystem::path& file, int operation) {
    const sandbox::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC));
    REQUIRE(fd.valid());
    return ::flock(fd.get(), operation | LOCK_NB) == 0;
}

}  // namespace

TEST_CASE("lonely: ordinary stays share, a lonely one excludes") {
    const Folder folder;
    auto first = grader::Host::open(folder.path);
    auto second = grader::Host::open(folder.path);
    REQUIRE(first);
    REQUIRE(second);
    const auto room = folder.path / "room.lock";
    {
        auto one = first->enter();
        auto two = second->enter();
        REQUIRE(one);
        REQUIRE(two);
        CHECK(free_for(room, LOCK_SH));
        CHECK(!free_for(room, LOCK_EX));
    }
    CHECK(free_for(room, LOCK_EX));
    {
        auto alone = first->enter_alone();
        REQUIRE(alone);
        CHECK(!free_for(room, LOCK_SH));
        CHECK(free_for(folder.path / "turnstile.lock", LOCK_EX));
    }
    CHECK(free_for(room, LOCK_EX));
}

TEST_CASE("lonely: a moved stay leaves once, at the end of the last owner") {
    const Folder folder;
    auto host = grader::Host::open(folder.path);
    REQUIRE(host);
    const auto room = folder.path / "room.lock";
    auto stay = host->enter_alone();
    REQUIRE(stay);
    {
        grader::Host::Stay moved = std::move(*stay);
        CHECK(!free_for(room, LOCK_SH));
    }
    CHECK(free_for(room, LOCK_EX));
}

TEST_CASE("lonely: a link in place of a lock is not followed") {
    const Folder folder;
    std::filesystem::create_symlink("/dev/null", folder.path / "room.lock");
    CHECK(!grader::Host::open(folder.path));
    CHECK(!grader::Host::open(folder.path / "absent"));
}

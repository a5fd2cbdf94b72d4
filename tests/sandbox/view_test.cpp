// Tests of sandbox/view.hpp and sandbox/elf.hpp: what a profile would show.
// Mounts nothing.
// Run by the unit suite.
#include "sandbox/view.hpp"

#include "sandbox/elf.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include <unistd.h>

using namespace sandbox;

namespace {

bool shows(const View& view, const std::string& path) {
    return std::any_of(view.entries.begin(), view.entries.end(),
                       [&](const ViewEntry& e) { return e.target == path; });
}

}  // namespace

TEST_CASE("view: native shows /dev/null and nothing else of the host") {
    const auto view = standard_view(Profile::native);
    REQUIRE(view.has_value());
    for (const ViewEntry& entry : view->entries) {
        if (entry.kind == ViewEntry::Kind::bind) CHECK(entry.source == "/dev/null");
    }
}

TEST_CASE("view: no profile shows a folder of people, of settings, or of processes") {
    for (const Profile profile :
         {Profile::native, Profile::compile, Profile::lua, Profile::python, Profile::shell}) {
        const auto view = standard_view(profile);
        REQUIRE(view.has_value());
        std::set<std::string> targets;
        for (const ViewEntry& entry : view->entries) {
            CHECK_MESSAGE(targets.insert(entry.target).second, entry.target);
            for (const char* hidden :
                 {"/home", "/root", "/etc", "/proc", "/sys", "/var", "/run", "/opt", "/usr/local"})
                CHECK_MESSAGE(!entry.target.starts_with(hidden), entry.target);
            CHECK(entry.target != "/");
            CHECK(entry.target != "/usr");
        }
    }
}

TEST_CASE("view: a dynamic program brings its loader and libraries, a missing one is named") {
    const auto view = program_view("/bin/sh", Profile::shell);
    REQUIRE(view.has_value());
    CHECK(shows(*view, "/usr/lib/x86_64-linux-gnu/libc.so.6"));
    CHECK(shows(*view, "/usr/lib64/ld-linux-x86-64.so.2"));
    const auto missing = program_view("/no/such/program", Profile::native);
    REQUIRE(!missing.has_value());
    CHECK(missing.error().what.find("/no/such/program") != std::string::npos);
}

TEST_CASE("elf: damaged files are refused, never read beyond their end") {
    const std::string path = "/tmp/perfjudge-elf-test-" + std::to_string(::getpid());
    std::ifstream shell("/bin/sh", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(shell)),
                            std::istreambuf_iterator<char>());
    for (const std::size_t size : {std::size_t{4}, std::size_t{40}, std::size_t{64},
                                   std::size_t{100}, std::size_t{500}, whole.size() / 2}) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, size);
        (void)needed_files(path);  // an Error or a shorter list; sanitizers watch
    }
    std::string lie = whole;
    lie[0x20] = '\xff';  // offset of the program headers
    lie[0x27] = '\xff';
    std::ofstream(path, std::ios::binary) << lie;
    CHECK(!needed_files(path).has_value());
    std::ofstream(path, std::ios::binary) << "#!/bin/sh\n";
    const auto script = needed_files(path);
    REQUIRE(script.has_value());
    CHECK(script->empty());
    (void)::unlink(path.c_str());
    for (const char* endless : {"/dev/zero", "/tmp"}) CHECK(!needed_files(endless).has_value());
}

// Tests of the pure parts of `perfjudge selftest`: heads of attacks, and what is looked for after.
// Grades nothing.
// Run by the unit suite.
#include "grader/base64.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/left_over.hpp"
#include "tools/selftest_corpus.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const std::string kHead = "// A9: tries things.\n// expect: ";

}  // namespace

TEST_CASE("selftest: an attack's head is read") {
    const auto attack = tools::parse_attack(
        "TLE/A9-x.cpp", kHead +
                            "reason=cpu|wall flags=tamper run_flags=a,b run_reason=cpu "
                            "uses=honest task=bypass\nint x;\n");
    REQUIRE(attack);
    CHECK(attack->verdict == "TLE");
    CHECK(attack->language == "cpp");
    CHECK(attack->tries == "A9: tries things.");
    CHECK(attack->reasons == std::set<std::string>{"cpu", "wall"});
    CHECK(attack->flags == std::set<std::string>{"tamper"});
    CHECK(attack->run_flags == std::set<std::string>{"a", "b"});
    CHECK(attack->run_reason == "cpu");
    CHECK(attack->task == "bypass");
    CHECK(tools::used_part(attack->code) == "honest");
    CHECK(tools::used_part(kHead + "\n").empty());
}

TEST_CASE("selftest: heads of the three languages") {
    CHECK(tools::parse_attack("AC/a.py", "# tries.\n# expect:\n")->language == "python");
    CHECK(tools::parse_attack("AC/a.lua", "-- tries.\n-- expect: uses=honest\n")->language ==
          "lua");
}

TEST_CASE("selftest: a head that says nothing, or too much, is an error that names the file") {
    const std::string good = "# tries.\n# expect:\n";
    for (const auto& [name, text] : std::initializer_list<std::pair<std::string, std::string>>{
             {"XX/a.py", good},
             {"JE/a.py", good},
             {"AC/a.txt", good},
             {"AC/a.py", "# tries.\n"},
             {"AC/a.py", "import os\n# expect:\n"},
             {"AC/a.py", "# tries.\n# expect: reasons=x\n"},
             {"AC/a.py", "# tries.\n# expect: reason\n"},
             {"AC/a.py", ""}}) {
        const auto attack = tools::parse_attack(name, text);
        CHECK(!attack);
        if (!attack) CHECK(attack.error().what.find(name) != std::string::npos);
    }
}

TEST_CASE("selftest: marks become values, also where a value has a mark's name") {
    CHECK(tools::fill_in("a@X@b@X@@Y@", {{"X", "@X@"}, {"Y", "1"}}) == "a@X@b@X@1");
    CHECK(tools::fill_in("no mark", {{"X", "1"}}) == "no mark");
}

TEST_CASE("selftest: a corpus in a folder") {
    const support::TempDir dir;
    dir.write("AC/b.py", "# b.\n# expect: uses=honest\nB\n");
    dir.write("WA/a.lua", "-- a.\n-- expect:\nA\n");
    dir.write("parts/honest.py", "PART\n");
    dir.write("limits.txt", "cpu_ms = 700\nmemory_mib = 96\n");
    const auto corpus = tools::load_corpus(dir.path(), "");
    REQUIRE(corpus);
    REQUIRE(corpus->attacks.size() == 2);
    CHECK(corpus->attacks[0].name == "AC/b.py");
    CHECK(corpus->attacks[0].code.starts_with("PART\n# b."));
    CHECK(corpus->limits ==
          std::map<std::string, std::string>{{"cpu_ms", "700"}, {"memory_mib", "96"}});
    CHECK(tools::load_corpus(dir.path(), "WA/")->attacks.size() == 1);
    CHECK(!tools::load_corpus(dir.path(), "no such attack"));
    CHECK(!tools::load_corpus(dir.path() / "nowhere", ""));
    dir.write("AC/c.py", "# c.\n# expect: uses=nothing\n");
    CHECK(!tools::load_corpus(dir.path(), ""));
}

TEST_CASE("selftest: the bundled corpus can be read whole") {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
    REQUIRE(root != nullptr);
    const auto corpus = tools::load_corpus(std::string(root) + "/tests/hostile", "");
    REQUIRE_MESSAGE(corpus, corpus.error().what);
    CHECK(corpus->attacks.size() >= 135);
    CHECK(corpus->limits.size() == 3);
}

TEST_CASE("selftest: mounts of ours are known by their names") {
    CHECK(tools::our_mounts(
              "1 2 0:3 / /tmp/x rw,nosuid - tmpfs view rw,size=1024k\n"
              "2 2 0:4 / /box rw - tmpfs box rw\n"
              "3 2 0:5 / /tmp rw - tmpfs tmpfs rw\n4 2 8:1 / /view rw - ext4 view rw\n") ==
          std::set<std::string>{"/tmp/x", "/box"});
    CHECK(tools::our_mounts(" - tmpfs box rw\n\n - \n").empty());
}

TEST_CASE("selftest: a group's name says whose it is") {
    const std::string space = "4026531836";
    CHECK(tools::helper_of_group("perfjudge-0a1b2c3d-4026531836-4194-77", space) == 4194);
    CHECK(tools::helper_of_group("perfjudge-0a1b2c3d-4026531999-4194-77", space) == 0);
    CHECK(tools::helper_of_group("perfjudge-0a1b2c3d-4026531836-x-77", space) == 0);
    CHECK(tools::helper_of_group("perfjudge-host", space) == 0);
    CHECK(tools::helper_of_group("", "") == 0);
}

TEST_CASE("selftest: processes below us are told from all others") {
    CHECK(tools::descends_from_us(::getpid()));
    CHECK(!tools::descends_from_us(::getppid()));
    CHECK(!tools::descends_from_us(1));
    CHECK(!tools::descends_from_us(0));
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    CHECK(tools::descends_from_us(child));
    (void)::kill(child, SIGKILL);
    (void)::waitpid(child, nullptr, 0);
    CHECK(!tools::descends_from_us(child));
}

TEST_CASE("selftest: a child that stays is seen, and one that ends is reaped") {
    CHECK(tools::children_left(std::chrono::milliseconds(0)).empty());
    const pid_t stays = ::fork();
    if (stays == 0) {
        ::pause();
        ::_exit(0);
    }
    const pid_t ends = ::fork();
    if (ends == 0) ::_exit(0);
    CHECK(tools::children_left(std::chrono::milliseconds(100)) ==
          std::set<std::string>{std::to_string(stays)});
    (void)::kill(stays, SIGKILL);
    CHECK(tools::children_left(std::chrono::milliseconds(10'000)).empty());
}

TEST_CASE("selftest: a word is found plain and in base64") {
    const support::TempDir dir;
    const std::string word = "0123456789abcdef0123456789abcdef";
    dir.write("clean.txt", "0123456789abcdef 0123456789abcdef");
    dir.write("plain.txt", "x" + word + "y");
    for (const char* before : {"", "a", "ab", "abc", "abcd"})
        dir.write("deep/base64-" + std::to_string(std::string(before).size()),
                  grader::base64_encode(before + word + "tail"));
    CHECK(tools::files_with(dir.path(), word) == std::set<std::string>{"plain.txt", "base64-0",
                                                                       "base64-1", "base64-2",
                                                                       "base64-3", "base64-4"});
}

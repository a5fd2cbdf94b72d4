// Tests of grader/store.hpp: what survives, what is refused.
// No process is killed: torn files are written as a kill would leave them.
// Run by the unit suite.
#include "grader/store.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>

using grader::Result;
using grader::Store;

namespace {

std::vector<std::string> lines_of(const Store& store) {
    std::vector<std::string> lines;
    const Result<void> read = store.read_results([&](std::string_view line, std::size_t number) {
        lines.emplace_back(line);
        CHECK(number == lines.size());
        return Result<void>();
    });
    CHECK(read);
    return lines;
}

}  // namespace

TEST_CASE("store: lines come back, in a private file") {
    const support::TempDir temp;
    const auto folder = temp.path() / "out";
    Result<Store> store = Store::create(folder);
    REQUIRE(store);
    const std::string long_line(200'000, 'x');
    REQUIRE(store->append("{\"a\":1}"));
    REQUIRE(store->append(long_line));
    REQUIRE(store->append("{}"));
    CHECK(lines_of(*store) == std::vector<std::string>{"{\"a\":1}", long_line, "{}"});
    struct stat status {};
    REQUIRE(::stat((folder / "results.jsonl").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
}

TEST_CASE("store: a folder that holds something is refused without --resume") {
    const support::TempDir temp;
    temp.write("out/notes.txt", "mine");
    const Result<Store> created = Store::create(temp.path() / "out");
    REQUIRE(!created);
    CHECK(created.error().code == grader::Error::Code::bad_input);
    CHECK(created.error().what.find("--resume") != std::string::npos);
    CHECK(!Store::resume(temp.path() / "out"));
    CHECK(!std::filesystem::exists(temp.path() / "out/results.jsonl"));
}

TEST_CASE("store: what a run leaves that never had a result is no obstacle") {
    const support::TempDir temp;
    { REQUIRE(Store::create(temp.path() / "out")); }
    CHECK(Store::create(temp.path() / "out"));
    {
        Result<Store> store = Store::create(temp.path() / "out");
        REQUIRE(store);
        REQUIRE(store->append("{}"));
    }
    CHECK(!Store::create(temp.path() / "out"));
    CHECK(!Store::create(temp.write("file", "x")));
}

TEST_CASE("store: nothing to resume is an error, an empty folder is not") {
    const support::TempDir temp;
    CHECK(!Store::resume(temp.path() / "absent"));
    CHECK(!std::filesystem::exists(temp.path() / "absent"));
    std::filesystem::create_directory(temp.path() / "empty");
    CHECK(Store::resume(temp.path() / "empty"));
}

TEST_CASE("store: a torn last line is cut off on resume") {
    const support::TempDir temp;
    for (const std::string& torn : {std::string("{\"task\":\"ge"), std::string(150'000, 'y')}) {
        temp.write("out/results.jsonl", "{\"n\":1}\n{\"n\":2}\n" + torn);
        Result<Store> store = Store::resume(temp.path() / "out");
        REQUIRE(store);
        CHECK(lines_of(*store).size() == 2);
        REQUIRE(store->append("{\"n\":3}"));
        CHECK(lines_of(*store) == std::vector<std::string>{"{\"n\":1}", "{\"n\":2}", "{\"n\":3}"});
    }
    temp.write("only/results.jsonl", "{\"never");
    Result<Store> store = Store::resume(temp.path() / "only");
    REQUIRE(store);
    CHECK(lines_of(*store).empty());
}

TEST_CASE("store: two at once are refused") {
    const support::TempDir temp;
    const Result<Store> first = Store::create(temp.path() / "out");
    REQUIRE(first);
    const Result<Store> second = Store::resume(temp.path() / "out");
    REQUIRE(!second);
    CHECK(second.error().what.find("in use") != std::string::npos);
}

TEST_CASE("store: an error of a line names file and number") {
    const support::TempDir temp;
    temp.write("out/results.jsonl", "good\nbad\n");
    const Result<Store> store = Store::resume(temp.path() / "out");
    REQUIRE(store);
    const Result<void> read =
        store->read_results([](std::string_view line, std::size_t) -> Result<void> {
            if (line == "good") return {};
            return tl::unexpected(grader::Error{grader::Error::Code::bad_input, "no object"});
        });
    REQUIRE(!read);
    CHECK(read.error().what.find("results.jsonl:2: no object") != std::string::npos);
}

TEST_CASE("store: the manifest is absent, read, or refused") {
    const support::TempDir temp;
    Result<Store> store = Store::create(temp.path() / "out");
    REQUIRE(store);
    CHECK(store->manifest()->is_null());
    REQUIRE(store->write("manifest.json", "{\"version\":1}\n"));
    CHECK(store->manifest()->find("version"));
    REQUIRE(store->write("manifest.json", "{\"version\""));
    CHECK(!store->manifest());
    CHECK(!std::filesystem::exists(temp.path() / "out/manifest.json.new"));
}

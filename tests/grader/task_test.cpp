// Tests of grader/task.hpp: the shipped tasks load, broken folders are refused with the place.
// Not of cases.
// Run by the unit suite.
#include "grader/task.hpp"

#include "tests/support/source_root.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace fs = std::filesystem;
using grader::Language;

namespace {

fs::path shipped() {
    return source_root() / "tasks";
}

const std::string kGood = R"(version = 1
id = "t"
title = "T"
track = "construction"
entry = "predict"
languages = ["python"]

[limits]
cpu_ms = 1000
wall_ms = 5000
memory_mib = 64
output_kib = 64
files_kib = 2048
inodes = 16
processes = 4
open_files = 16

[cases]
generator = "matmul"
visible = 4
hidden = 8
max_steps = 100
max_iterations = 1000

[[quantity]]
pattern = "dram.words"
tolerance = "exact"
)";

/// A folder of tasks that is removed at the end.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "perfjudge-task-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(root_); }

    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    [[nodiscard]] fs::path root() const { return root_; }

    /// What load_task says of kGood with `from` replaced by `to`.
    [[nodiscard]] std::string refusal(const std::string& from, const std::string& to) const {
        std::string text = kGood;
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        put("construction/t/task.toml", text);
        put("construction/t/statement.md", "S\n");
        const auto task = grader::load_task(root_ / "construction/t");
        return task ? "" : task.error().what;
    }

  private:
    fs::path root_;
};

}  // namespace

TEST_CASE("task: the shipped tasks load, sorted by name") {
    const auto tasks = grader::load_tasks(shipped());
    REQUIRE_MESSAGE(tasks.has_value(), (tasks ? "" : tasks.error().what));
    REQUIRE(tasks->size() >= 6);
    for (const auto& task : *tasks) {
        CAPTURE(task.id);
        CHECK(task.entry == "predict");
        CHECK(task.visible_cases >= 4);
        CHECK(task.hidden_cases >= 64);
        CHECK(task.languages == std::vector{Language::cpp, Language::python, Language::lua});
        for (const char* extension : {"cpp", "py", "lua"})
            CHECK(fs::exists(task.folder / "solutions" / ("solution." + std::string(extension))));
        int wrong = 0;
        for (const auto& entry : fs::recursive_directory_iterator(task.folder / "wrong"))
            wrong += entry.is_regular_file() ? 1 : 0;
        CHECK(wrong >= 3);
    }
}

TEST_CASE("task: a good folder is read") {
    const Folder folder;
    CHECK(folder.refusal("exact", "exact").empty());
    const auto task = grader::load_task(folder.root() / "construction/t/");
    REQUIRE(task.has_value());
    CHECK(task->id == "t");
    CHECK(task->limits.cpu_time.count() == 1000);
    CHECK(task->limits.memory_bytes == 64U << 20U);
    CHECK(task->limits.output_bytes == 64U << 10U);
    CHECK(task->case_limits.max_steps == 100);
    CHECK(task->statement == "S\n");
    REQUIRE(task->quantities.size() == 1);
    CHECK(task->quantities[0].tolerance == grader::Tolerance{});
}

TEST_CASE("task: limits that no jail takes, or whose answers no worker can send, are refused") {
    const Folder folder;
    CHECK(folder.refusal("output_kib = 64", "output_kib = 8192").empty());
    CHECK(folder.refusal("output_kib = 64", "output_kib = 8193").find("output_kib") !=
          std::string::npos);
    CHECK(folder.refusal("inodes = 16", "inodes = 1").find("inodes") != std::string::npos);
    CHECK(folder.refusal("open_files = 16", "open_files = 7").find("open_files") !=
          std::string::npos);
}

TEST_CASE("task: tolerances of every kind") {
    const Folder folder;
    CHECK(folder.refusal("tolerance = \"exact\"", "tolerance = \"relative\"\nrelative = 0.1")
              .empty());
    CHECK(
        folder.refusal("tolerance = \"exact\"", "tolerance = \"absolute\"\nabsolute = 3").empty());
    CHECK(
        folder.refusal("tolerance = \"exact\"", "tolerance = \"sum\"\nabsolute = 3\nrelative = 0.1")
            .empty());
    const auto task = grader::load_task(folder.root() / "construction/t");
    CHECK(task.value().quantities[0].tolerance ==
          grader::Tolerance{grader::Tolerance::Kind::sum, 3, 0.1});
    CHECK_FALSE(
        folder.refusal("tolerance = \"exact\"", "tolerance = \"either\"\nabsolute = 3").empty());
    CHECK_FALSE(
        folder.refusal("tolerance = \"exact\"", "tolerance = \"exact\"\nabsolute = 3").empty());
    CHECK_FALSE(
        folder.refusal("tolerance = \"exact\"", "tolerance = \"relative\"\nrelative = -1").empty());
    CHECK_FALSE(folder.refusal("tolerance = \"exact\"", "").empty());
}

TEST_CASE("task: mistakes name file, line and key") {
    struct Row {
        const char *from, *to, *says;
    };
    const Folder folder;
    for (const Row& row :
         {Row{"id = \"t\"", "id = \"other\"", "id"},
          Row{"entry = \"predict\"", "entry = \"pre dict\"", "entry"},
          Row{"\"python\"", "\"cobol\"", "cobol"}, Row{"[\"python\"]", "[]", "languages"},
          Row{"[\"python\"]", "[\"python\", \"python\"]", "twice"},
          Row{"wall_ms = 5000", "wall_ms = 2000", "wall_ms"}, Row{"cpu_ms = 1000\n", "", "cpu_ms"},
          Row{"\"matmul\"", "\"matmull\"", "matmul"}, Row{"hidden = 8", "hidden = 0", "hidden"},
          Row{"visible = 4", "visible = 0", "visible"},
          Row{"hidden = 8", "hidden = 8\nhiden = 9", "hiden"},
          Row{"dram.words", "dram.wurds", "dram.wurds"},
          Row{"version = 1", "version = 2", "version"},
          Row{"track = \"construction\"\n", "", "track"},
          Row{"memory_mib = 64", "memory_mib = \"64\"", "memory_mib"},
          Row{"max_iterations = 1000", "max_iterations = 9007199254740993", "max_iterations"}}) {
        const std::string what = folder.refusal(row.from, row.to);
        CAPTURE(row.to);
        CHECK_MESSAGE(what.find(row.says) != std::string::npos, what);
        CHECK_MESSAGE(what.find("task.toml") != std::string::npos, what);
    }
}

TEST_CASE("task: a folder without statement, an empty root, a name used twice") {
    const Folder folder;
    CHECK_FALSE(grader::load_tasks(folder.root()).has_value());
    CHECK_FALSE(grader::load_tasks(folder.root() / "absent").has_value());
    folder.put("construction/t/task.toml", kGood);
    CHECK(grader::load_task(folder.root() / "construction/t").error().what.find("statement.md") !=
          std::string::npos);
    folder.put("construction/t/statement.md", "S\n");
    CHECK(grader::load_tasks(folder.root()).value().size() == 1);
    folder.put("other/t/task.toml", kGood);
    folder.put("other/t/statement.md", "S\n");
    CHECK(grader::load_tasks(folder.root()).error().what.find("track") != std::string::npos);
}

// Tests of tools/task_text.hpp on the shipped tasks.
// Not of the command line.
// Run by the unit suite.
#include "tools/task_text.hpp"

#include "grader/json.hpp"
#include "tests/support/source_root.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace {

std::filesystem::path root() {
    return source_root() / "tasks";
}

grader::Task gemm() {
    auto task = tools::find_task(root(), "gemm-two-level");
    REQUIRE(task.has_value());
    return *task;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("task text: the list names every task once") {
    const auto text = tools::list_text(root());
    REQUIRE(text.has_value());
    for (const char* id : {"bypass", "conv2d-halo", "cycles-bandwidth", "einsum-two-level",
                           "gemm-two-level", "three-level-spatial"})
        CHECK(holds(*text, id));
}

TEST_CASE("task text: an unknown task is answered with the known ones") {
    const auto task = tools::find_task(root(), "gemm");
    REQUIRE_FALSE(task.has_value());
    CHECK(holds(task.error().what, "gemm-two-level"));
}

TEST_CASE("task text: cases as JSON lines") {
    const auto text = tools::cases_text(gemm(), true, true);
    REQUIRE(text.has_value());
    std::istringstream lines(*text);
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) {
        const auto parsed = grader::parse_json(line);
        REQUIRE(parsed.has_value());
        CHECK(*parsed->find("visible")->boolean());
        CHECK(parsed->find("input")->find("mapping") != nullptr);
        CHECK(parsed->find("expected")->find("dram.words") != nullptr);
        ++count;
    }
    CHECK(count == 4);
}

TEST_CASE("task text: a prompt has the statement, one language when asked, and no hidden case") {
    const auto all = tools::prompt_text(gemm(), "");
    const auto lua = tools::prompt_text(gemm(), "Lua 5.4");
    REQUIRE(all.has_value());
    REQUIRE(lua.has_value());
    for (const char* part :
         {"# Off-chip traffic", "dram.updates.Z", "## Python 3", "perfmodel.hpp", "# Examples"})
        CHECK(holds(*all, part));
    CHECK(holds(*lua, "## Lua 5.4"));
    CHECK_FALSE(holds(*lua, "## Python 3"));
    const auto everything = tools::cases_text(gemm(), false, true);
    const std::string hidden = everything->substr(everything->find("\"visible\":false"));
    const std::string first = hidden.substr(
        hidden.find("{\"workload\""), hidden.find(",\"expected\"") - hidden.find("{\"workload\""));
    CHECK(holds(*everything, first));
    CHECK_FALSE(holds(*all, first));
    CHECK_FALSE(tools::prompt_text(gemm(), "rust").has_value());
}

// Tests of grader/languages.hpp and grader/run_case.hpp: the table is whole, the rules on endings.
// Runs nothing: the live suite does.
// Run by the unit suite.
#include "grader/languages.hpp"

#include "grader/embedded.hpp"
#include "grader/run_case.hpp"

#include <doctest/doctest.h>

using namespace grader;

TEST_CASE("languages: every language has a whole row") {
    for (const Language language : {Language::cpp, Language::python, Language::lua}) {
        const LanguageRow& row = language_row(language);
        CHECK(row.language == language);
        CHECK(!row.argv.empty());
        CHECK(!row.self_test.empty());
        CHECK((row.version_argv.empty() != row.version.empty()));
        if (row.compile) CHECK(sandbox::check(row.compile->limits));
    }
    CHECK(language_rows().size() == 3);
}

TEST_CASE("languages: the entry code is inside the program") {
    CHECK(embedded::perfmodel_header().find("using Prediction") != std::string_view::npos);
    CHECK(embedded::cpp_entry().find("__wrap_main") != std::string_view::npos);
    CHECK(embedded::python_entry().find("def run(") != std::string_view::npos);
    CHECK(
        embedded::lua_host().starts_with("\x7f"
                                         "ELF"));
}

TEST_CASE("languages: a self-test record is read by value, not by its order") {
    CHECK(self_test_passed(R"({"answer":{"unlimited":0,"size":42,"loops":1}})"));
    CHECK(!self_test_passed(R"({"answer":{"unlimited":0,"size":41,"loops":1}})"));
    CHECK(!self_test_passed(R"({"answer":{"unlimited":0,"size":42}})"));
    CHECK(!self_test_passed(R"({"answer":{"unlimited":0,"size":42,"loops":1,"more":1}})"));
    CHECK(!self_test_passed(R"({"answer":{"unlimited":0,"size":42.0,"loops":1}})"));
    CHECK(!self_test_passed(""));
}

TEST_CASE("languages: the budget of instructions follows the CPU limit") {
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(2000);
    CHECK(instruction_budget(limits) == 100'000'000);
}

TEST_CASE("run_case: which endings call for a lonely run") {
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(1000);
    limits.wall_time = std::chrono::milliseconds(5000);
    CaseOutput output;
    output.outcome.usage.cpu_us = 500'000;
    output.outcome.usage.wall_us = 2'500'000;
    CHECK(!needs_lonely_run(output, limits));
    output.outcome.usage.cpu_us = 500'001;
    CHECK(needs_lonely_run(output, limits));
    output.outcome.exit_code = 1;  // it did not pass, and no clock ended it
    CHECK(!needs_lonely_run(output, limits));
    output = {};
    output.outcome.usage.wall_us = 2'500'001;
    CHECK(needs_lonely_run(output, limits));
    output = {};
    output.outcome.ending = sandbox::Ending::cpu_limit;
    CHECK(needs_lonely_run(output, limits));
    output.outcome.ending = sandbox::Ending::memory_limit;
    output.outcome.limits_in_force.memory = sandbox::Limiter::cgroup;
    CHECK(!needs_lonely_run(output, limits));
    output.outcome.limits_in_force.memory = sandbox::Limiter::sampled;
    CHECK(needs_lonely_run(output, limits));
}

TEST_CASE("run_case: limits and blocked calls are hard endings, crashes are not") {
    CaseOutput output;
    CHECK(!ended_hard(output));
    output.outcome.exit_code = 1;
    CHECK(!ended_hard(output));
    output.out_of_instructions = true;
    CHECK(ended_hard(output));
    for (const auto ending :
         {sandbox::Ending::cpu_limit, sandbox::Ending::wall_limit, sandbox::Ending::memory_limit,
          sandbox::Ending::output_limit, sandbox::Ending::policy_violation}) {
        output = {};
        output.outcome.ending = ending;
        CHECK(ended_hard(output));
    }
    output.outcome.ending = sandbox::Ending::signaled;
    CHECK(!ended_hard(output));
}

// Tests of the table and the JSON of `perfjudge doctor`.
// Asks nothing of this host.
// Run by the unit suite.
#include "tools/doctor_report.hpp"

#include "grader/json.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using sandbox::doctor::State;

tools::Diagnosis diagnosis() {
    tools::Diagnosis diagnosis;
    diagnosis.findings = {{"one", "a", State::ok, "works", "means", ""},
                          {"one", "longer", State::limited, "refused", "means", "do this"},
                          {"two", "b", State::missing, "refused", "means", "do this"},
                          {"two", "c", State::missing, "refused", "means", "do that"}};
    diagnosis.languages = {{"cpp", false, "no compiler"}, {"lua", true, "Lua 5.4"}};
    diagnosis.mode = "full";
    diagnosis.limits.emplace();
    diagnosis.limits->memory = sandbox::Limiter::sampled;
    return diagnosis;
}

std::size_t times(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
    return count;
}

}  // namespace

TEST_CASE("doctor report: columns, areas, and a repeated remedy written once") {
    CHECK(tools::doctor_table(diagnosis(), false) ==
          "one\n"
          "  ok       a       works; means\n"
          "  limited  longer  refused; means\n"
          "                   -> do this\n"
          "two\n"
          "  missing  b       refused; means\n"
          "                   -> the same\n"
          "  missing  c       refused; means\n"
          "                   -> do that\n"
          "\nmode: full\nlanguages: lua\nperfjudge can grade here\n");
}

TEST_CASE("doctor report: colour changes no width") {
    const std::string text = tools::doctor_table(diagnosis(), true);
    CHECK(text.find("\x1b[31mmissing\x1b[0m  b       refused") != std::string::npos);
    CHECK(times(text, "\x1b[") == 8);
}

TEST_CASE("doctor report: without a mode or without a language nothing can be graded") {
    tools::Diagnosis none = diagnosis();
    none.mode.clear();
    none.mode_error = "no namespaces";
    CHECK(!none.can_grade());
    CHECK(tools::doctor_table(none, false).find("mode: none; no namespaces\n") !=
          std::string::npos);
    tools::Diagnosis mute = diagnosis();
    mute.languages.pop_back();
    CHECK(!mute.can_grade());
    CHECK(tools::doctor_table(mute, false).find("languages: none\nperfjudge cannot grade here") !=
          std::string::npos);
}

TEST_CASE("doctor report: one JSON object on one line") {
    const std::string text = tools::doctor_json(diagnosis());
    CHECK(text.find('\n') == std::string::npos);
    const auto parsed = grader::parse_json(text);
    REQUIRE(parsed);
    CHECK(*parsed->find("can_grade")->boolean());
    CHECK(*parsed->find("mode")->string() == "full");
    CHECK(parsed->find("mode_error")->is_null());
    CHECK(*parsed->find("limits_in_force")->find("memory")->string() == "sampled");
    CHECK(parsed->find("findings")->array_items()->size() == 4);
    tools::Diagnosis none = diagnosis();
    none.mode.clear();
    none.limits.reset();
    const auto without = grader::parse_json(tools::doctor_json(none));
    REQUIRE(without);
    CHECK(without->find("mode")->is_null());
    CHECK(without->find("limits_in_force")->is_null());
    CHECK(!*without->find("can_grade")->boolean());
}

// Tests of grader/judge.hpp: every ending, and what outweighs what.
// No jail: outcomes are made up, as a worker reports them.
// Run by the unit suite.
#include "grader/judge.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using grader::BuildOutput;
using grader::CaseOutput;
using grader::CaseResult;
using grader::Expected;
using grader::Flag;
using grader::has;
using grader::judge;
using grader::judge_build;
using grader::Judgement;
using grader::Reason;
using grader::Verdict;
using sandbox::Ending;

namespace {

const char* const kRight = "{\"answer\":{\"dram.words\":12}}\n";
const char* const kWrong = "{\"answer\":{\"dram.words\":24}}\n";

Expected expected() {
    Expected made(1);
    made[0].name = "dram.words";
    made[0].value = 12;
    return made;
}

CaseOutput output(Ending ending, const std::string& answer = kRight) {
    CaseOutput made;
    made.outcome.ending = ending;
    made.outcome.answer = answer;
    return made;
}

Judgement verdict_of(const CaseOutput& made) {
    return judge(made, expected()).judgement;
}

BuildOutput failed_build(Ending ending) {
    BuildOutput made;
    made.outcome.ending = ending;
    made.outcome.exit_code = 1;
    return made;
}

}  // namespace

TEST_CASE("judge: a clean exit is judged by its numbers") {
    CHECK(verdict_of(output(Ending::exited)) == Judgement{Verdict::accepted, Reason::none});
    const CaseResult wrong = judge(output(Ending::exited, kWrong), expected());
    CHECK(wrong.judgement == Judgement{Verdict::wrong_answer, Reason::value});
    REQUIRE(wrong.mismatches.size() == 1);
    CHECK(wrong.mismatches[0].hint == "x2");
}

TEST_CASE("judge: exit 0 without an answer is not accepted") {
    CHECK(verdict_of(output(Ending::exited, "")) ==
          Judgement{Verdict::presentation_error, Reason::no_answer});
}

TEST_CASE("judge: every other ending outweighs a right answer") {
    CHECK(verdict_of(output(Ending::cpu_limit)) == Judgement{Verdict::time_limit, Reason::cpu});
    CHECK(verdict_of(output(Ending::wall_limit)) == Judgement{Verdict::time_limit, Reason::wall});
    CHECK(verdict_of(output(Ending::memory_limit)) ==
          Judgement{Verdict::memory_limit, Reason::none});
    CHECK(verdict_of(output(Ending::output_limit)) ==
          Judgement{Verdict::output_limit, Reason::none});
    CHECK(verdict_of(output(Ending::policy_violation)) ==
          Judgement{Verdict::security_violation, Reason::call});
    CHECK(verdict_of(output(Ending::signaled)) ==
          Judgement{Verdict::run_time_error, Reason::signal});
    CaseOutput exit_1 = output(Ending::exited);
    exit_1.outcome.exit_code = 1;
    CHECK(verdict_of(exit_1) == Judgement{Verdict::run_time_error, Reason::exit_code});
}

TEST_CASE("judge: a record of an exception chooses the reason, whatever the exit code") {
    for (int exit_code : {0, 1, 77}) {
        CaseOutput made = output(Ending::exited, "{\"exception\":\"KeyError: 'x'\"}\n");
        made.outcome.exit_code = exit_code;
        const CaseResult result = judge(made, expected());
        CHECK(result.judgement == Judgement{Verdict::run_time_error, Reason::exception});
        CHECK(result.detail == "KeyError: 'x'");
    }
    CHECK(verdict_of(output(Ending::signaled, "{\"exception\":\"x\"}\n")) ==
          Judgement{Verdict::run_time_error, Reason::signal});
    CHECK(verdict_of(output(Ending::cpu_limit, "{\"exception\":\"x\"}\n")) ==
          Judgement{Verdict::time_limit, Reason::cpu});
}

TEST_CASE("judge: a work budget used up is a time limit, whatever was left") {
    CaseOutput made = output(Ending::exited);
    made.outcome.exit_code = 121;
    made.out_of_instructions = true;
    const CaseResult result = judge(made, expected());
    CHECK(result.judgement == Judgement{Verdict::time_limit, Reason::instructions});
}

TEST_CASE("judge: a second record and a probe are tampering") {
    const std::string twice = std::string(kRight) + kRight;
    const CaseResult extra = judge(output(Ending::exited, twice), expected());
    CHECK(extra.judgement == Judgement{Verdict::presentation_error, Reason::extra_answer});
    CHECK(has(extra.flags, Flag::tamper));
    const CaseResult crashed = judge(output(Ending::signaled, twice), expected());
    CHECK(crashed.judgement == Judgement{Verdict::run_time_error, Reason::signal});
    CHECK(has(crashed.flags, Flag::tamper));
    CHECK(has(judge(output(Ending::policy_violation), expected()).flags, Flag::tamper));
    // What a clock cut off says nothing.
    CHECK(!has(judge(output(Ending::cpu_limit, twice), expected()).flags, Flag::tamper));
    CHECK(!has(judge(output(Ending::exited), expected()).flags, Flag::tamper));
}

TEST_CASE("judge: leftover processes and a near clock are flags, not verdicts") {
    CaseOutput made = output(Ending::exited);
    made.outcome.leftover_processes = true;
    made.ran_again = true;
    const CaseResult result = judge(made, expected());
    CHECK(result.judgement.verdict == Verdict::accepted);
    CHECK(has(result.flags, Flag::leftover_processes));
    CHECK(has(result.flags, Flag::near_limit));
    CaseOutput slow = output(Ending::cpu_limit);
    slow.ran_again = true;
    CHECK(!has(judge(slow, expected()).flags, Flag::near_limit));
}

TEST_CASE("judge: the reasons of a failed build") {
    CHECK(judge_build(failed_build(Ending::exited)).judgement ==
          Judgement{Verdict::compile_error, Reason::refused});
    CHECK(judge_build(failed_build(Ending::cpu_limit)).judgement.reason == Reason::compile_time);
    CHECK(judge_build(failed_build(Ending::wall_limit)).judgement.reason == Reason::compile_time);
    CHECK(judge_build(failed_build(Ending::memory_limit)).judgement.reason ==
          Reason::compile_memory);
    CHECK(judge_build(failed_build(Ending::output_limit)).judgement.reason ==
          Reason::compile_output);
    CHECK(judge_build(failed_build(Ending::policy_violation)).judgement.reason == Reason::refused);
    BuildOutput large = failed_build(Ending::exited);
    large.object_too_large = true;
    CHECK(judge_build(large).judgement.reason == Reason::compile_output);
    BuildOutput full = failed_build(Ending::exited);
    full.outcome.limits_hit.disk = true;
    CHECK(judge_build(full).judgement.reason == Reason::compile_output);
    BuildOutput built;
    built.built = true;
    CHECK(judge_build(built).judgement.verdict == Verdict::accepted);
}

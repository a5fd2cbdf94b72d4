// Tests of grader/aggregate.hpp.
// No other module.
// Run by the unit suite.
#include "grader/aggregate.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using grader::aggregate;
using grader::CaseResult;
using grader::CaseTotals;
using grader::Flag;
using grader::Grade;
using grader::has;
using grader::Judgement;
using grader::Reason;
using grader::RunResult;
using grader::Verdict;

namespace {

constexpr Judgement kAccepted{Verdict::accepted, Reason::none};
constexpr Judgement kWrong{Verdict::wrong_answer, Reason::value};
constexpr Judgement kCrash{Verdict::run_time_error, Reason::signal};
constexpr Judgement kSlow{Verdict::time_limit, Reason::cpu};

CaseResult result(Judgement judgement, const std::string& actual = "") {
    CaseResult made;
    made.judgement = judgement;
    if (!actual.empty()) made.mismatches.push_back({"dram.words", 10, actual, 0.5, "x2"});
    return made;
}

RunResult run(const std::vector<Judgement>& judgements) {
    RunResult made;
    for (const Judgement& judgement : judgements) made.cases.push_back(result(judgement));
    return made;
}

RunResult visible_pass(std::uint32_t visible, std::uint32_t hidden_passed, std::uint32_t hidden) {
    RunResult made;
    for (std::uint32_t i = 0; i < visible + hidden; ++i)
        made.cases.push_back(result(i < visible + hidden_passed ? kAccepted : kWrong));
    return made;
}

}  // namespace

TEST_CASE("aggregate: the gravest case decides, whatever the order") {
    const CaseTotals totals{1, 4};
    const Grade grade = aggregate({run({kWrong, kAccepted, kSlow, kCrash})}, totals);
    CHECK(grade.judgement == kSlow);
    CHECK(aggregate({run({kCrash, kSlow, kAccepted, kWrong})}, totals).judgement == kSlow);
    CHECK(grade.all == grader::CaseCounts{1, 4, 4});
    CHECK(grade.visible == grader::CaseCounts{0, 1, 1});
    CHECK(grade.hidden == grader::CaseCounts{1, 3, 3});
    REQUIRE(grade.first);
    CHECK(grade.first->index == 2);
    CHECK(!grade.first->visible);
}

TEST_CASE("aggregate: the reason is that of the first gravest case") {
    const Judgement not_integer{Verdict::wrong_answer, Reason::not_integer};
    const Grade grade = aggregate({run({kAccepted, not_integer, kWrong})}, {1, 3});
    CHECK(grade.judgement == not_integer);
    CHECK(grade.first->index == 1);
}

TEST_CASE("aggregate: the gravest repeat decides and disagreement is unstable") {
    const Grade grade = aggregate(
        {run({kAccepted, kAccepted}), run({kAccepted, kWrong}), run({kWrong, kWrong})}, {1, 2});
    CHECK(grade.judgement == kWrong);
    CHECK(has(grade.flags, Flag::unstable));
    CHECK(grade.repeats == 3);
    CHECK(grade.all.passed == 1);  // of the first repeat that has the gravest verdict
}

TEST_CASE("aggregate: different wrong numbers are unstable, equal ones are not") {
    const RunResult five{{result(kWrong, "5")}};
    const RunResult six{{result(kWrong, "6")}};
    CHECK(has(aggregate({five, six}, {0, 1}).flags, Flag::unstable));
    CHECK(!has(aggregate({five, five}, {0, 1}).flags, Flag::unstable));
}

TEST_CASE("aggregate: which clock ended a case is not a disagreement") {
    const Judgement wall{Verdict::time_limit, Reason::wall};
    CHECK(!has(aggregate({run({kSlow}), run({wall})}, {0, 1}).flags, Flag::unstable));
}

TEST_CASE("aggregate: flags of cases reach the grade") {
    RunResult tampering = run({kAccepted, kAccepted});
    tampering.cases[1].flags |= Flag::tamper;
    CHECK(has(aggregate({tampering}, {1, 2}).flags, Flag::tamper));
}

TEST_CASE("aggregate: missing is never accepted") {
    CHECK(aggregate({}, {1, 2}).judgement.verdict == Verdict::judge_error);
    CHECK(aggregate({RunResult{}}, {1, 2}).judgement.verdict == Verdict::judge_error);
    CHECK(aggregate({run({kAccepted})}, {1, 2}).judgement.verdict == Verdict::judge_error);
    CHECK(aggregate({run({kAccepted, kAccepted})}, {1, 2}).judgement == kAccepted);
}

TEST_CASE("aggregate: cases after an early stop count as not passed") {
    const Grade grade = aggregate({run({kSlow, kSlow, kSlow})}, {2, 10});
    CHECK(grade.judgement == kSlow);
    CHECK(grade.all == grader::CaseCounts{0, 3, 10});
}

TEST_CASE("aggregate: a table of the visible cases is noticed") {
    CHECK(has(aggregate({visible_pass(4, 0, 64)}, {4, 68}).flags, Flag::likely_memorised));
    CHECK(has(aggregate({visible_pass(4, 6, 64)}, {4, 68}).flags, Flag::likely_memorised));
    CHECK(!has(aggregate({visible_pass(4, 7, 64)}, {4, 68}).flags, Flag::likely_memorised));
    CHECK(!has(aggregate({visible_pass(4, 64, 64)}, {4, 68}).flags, Flag::likely_memorised));
    RunResult one_visible_wrong = visible_pass(4, 0, 64);
    one_visible_wrong.cases[3] = result(kWrong);
    CHECK(!has(aggregate({one_visible_wrong}, {4, 68}).flags, Flag::likely_memorised));
    CHECK(!has(aggregate({run({kAccepted, kSlow})}, {1, 2}).flags, Flag::likely_memorised));
}

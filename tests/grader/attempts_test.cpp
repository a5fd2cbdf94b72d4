// Tests of grader/attempts.hpp.
// No process is started.
// Run by the unit suite.
#include "grader/attempts.hpp"

#include <doctest/doctest.h>

#include <vector>

using grader::after;
using grader::Decision;
using grader::NextStep;
using grader::Step;
using grader::TryEnd;

namespace {

/// Follows the table from the first try on; the last entry must end it.
Decision follow(const std::vector<TryEnd>& ends) {
    Step step = Step::first;
    Decision decision = Decision::run;
    for (TryEnd end : ends) {
        REQUIRE(decision == Decision::run);
        const NextStep next = after(step, end);
        decision = next.decision;
        step = next.step;
    }
    return decision;
}

constexpr TryEnd kDone = TryEnd::done;
constexpr TryEnd kFailed = TryEnd::failed;
constexpr TryEnd kDied = TryEnd::died;

}  // namespace

TEST_CASE("attempts: a job that ends well counts, on whichever try") {
    CHECK(follow({kDone}) == Decision::accept);
    CHECK(follow({kDied, kDone}) == Decision::accept);
    CHECK(follow({kDied, kDied, kDone, kDone}) == Decision::accept);
}

TEST_CASE("attempts: three deaths between two passes are the submission's doing") {
    CHECK(follow({kDied, kDied, kDone, kDied, kDone}) == Decision::breaks_worker);
}

TEST_CASE("attempts: a guard that does not pass makes it ours") {
    CHECK(follow({kDied, kDied, kDied}) == Decision::judge_error);
    CHECK(follow({kDied, kDied, kFailed}) == Decision::judge_error);
    CHECK(follow({kDied, kDied, kDone, kDied, kDied}) == Decision::judge_error);
    CHECK(follow({kDied, kDied, kDone, kDied, kFailed}) == Decision::judge_error);
}

TEST_CASE("attempts: a failure that the worker reports is ours") {
    CHECK(follow({kFailed}) == Decision::judge_error);
    CHECK(follow({kDied, kFailed}) == Decision::judge_error);
    CHECK(follow({kDied, kDied, kDone, kFailed}) == Decision::judge_error);
}

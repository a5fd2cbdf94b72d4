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

}  // namespace

TEST_CASE("attempts: a job that ends well counts, on whichever try") {
    CHECK(follow({kDone}) == Decision::accept);
    CHECK(follow({kFailed, kDone}) == Decision::accept);
    CHECK(follow({kFailed, kFailed, kDone, kDone}) == Decision::accept);
}

TEST_CASE("attempts: three failures between two passes are the submission's doing") {
    CHECK(follow({kFailed, kFailed, kDone, kFailed, kDone}) == Decision::breaks_worker);
}

TEST_CASE("attempts: a guard that does not pass makes it ours") {
    CHECK(follow({kFailed, kFailed, kFailed}) == Decision::judge_error);
    CHECK(follow({kFailed, kFailed, kDone, kFailed, kFailed}) == Decision::judge_error);
}

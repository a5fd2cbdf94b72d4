// The table.
// Nothing else.
// See attempts.hpp.
#include "grader/attempts.hpp"

namespace grader {

namespace {

constexpr NextStep kAccept{Decision::accept, Step::first};
constexpr NextStep kJudgeError{Decision::judge_error, Step::first};
constexpr NextStep kBreaksWorker{Decision::breaks_worker, Step::first};

constexpr NextStep go_to(Step step) {
    return {Decision::run, step};
}

/// A try of the submission itself; `otherwise` is where its failure leads.
NextStep after_try(TryEnd end, Step otherwise) {
    return end == TryEnd::done ? kAccept : go_to(otherwise);
}

}  // namespace

NextStep after(Step step, TryEnd end) {
    switch (step) {
        case Step::first:
            return after_try(end, Step::second);
        case Step::second:
            return after_try(end, Step::guard_before);
        case Step::guard_before:
            return end == TryEnd::done ? go_to(Step::third) : kJudgeError;
        case Step::third:
            return after_try(end, Step::guard_after);
        case Step::guard_after:
            return end == TryEnd::done ? kBreaksWorker : kJudgeError;
    }
    return kJudgeError;
}

bool runs_alone(Step step) {
    return step == Step::guard_before || step == Step::third || step == Step::guard_after;
}

}  // namespace grader

// What happens to a job that failed or whose worker died: a table of steps. Decides whose fault it
// is. Starts nothing: runner.cpp does what this says. Called by runner.cpp after every end of a
// job.
#pragma once

#include <cstdint>

namespace grader {

/// The tries of one job. The guards are runs of a known-good submission, alone on a fresh worker.
enum class Step : std::uint8_t { first, second, guard_before, third, guard_after };

/// How a try ended: `failed` if the worker died or reported a fault of the host. Of a guard: `done`
/// means that the known-good submission passed.
enum class TryEnd : std::uint8_t { done, failed };

enum class Decision : std::uint8_t {
    run,            // take the next step
    accept,         // the results of this try count
    judge_error,    // our fault or the host's
    breaks_worker,  // the submission's doing
};

struct NextStep {
    Decision decision{};
    Step step{};  // where decision is run
    bool operator==(const NextStep&) const = default;
};

/// A worker that dies is replaced. A failed job runs again, whatever failed: a fault of a moment
/// must cost nobody anything, and one that a submission can bring about must not buy it a void. The
/// third try stands between two guards.
NextStep after(Step step, TryEnd end);

/// Guards and the third try: nothing else may run beside them.
bool runs_alone(Step step);

}  // namespace grader

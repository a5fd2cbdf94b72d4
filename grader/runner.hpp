// Runs the submissions that need running: gives jobs to the pool, judges what comes back, records
// it. Knows no file of submissions and no report; expected numbers stay in this process. Called by
// grade.cpp.
#pragma once

#include "grader/cases.hpp"
#include "grader/error.hpp"
#include "grader/extract.hpp"
#include "grader/protocol.hpp"
#include "grader/record.hpp"
#include "grader/store.hpp"
#include "grader/submission.hpp"
#include "grader/task.hpp"
#include "grader/worker_pool.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace grader {

/// A task that is ready to be asked.
struct LoadedTask {
    Task task;
    Cases cases;
    [[nodiscard]] CaseTotals totals() const {
        return {task.visible_cases, static_cast<std::uint32_t>(cases.inputs.size())};
    }
};

/// One submission with code, and what is known of its repeats already.
struct Work {
    Key key;
    const LoadedTask* task = nullptr;
    Extraction extraction;
    std::string source_sha256;
    std::vector<Repeat> repeats;  // those that have ended, in order
};

struct RunnerHooks {
    /// The first worker is ready: nothing was recorded before.
    std::function<Result<void>(const Hello&)> ready;
    /// All repeats are in, or it ended otherwise.
    std::function<void(const Work&)> finished;
};

struct RunnerOptions {
    std::uint32_t repeats = 1;
    int stop_fd = -1;  // readable: stop now; -1: never
};

/// Runs all of `works`; their order decides nothing but who comes first. False: stopped on request,
/// what is recorded stays. Errors: cannot_judge where no language or no worker is usable, and
/// whatever the store says.
Result<bool> run_all(std::vector<Work>& works, WorkerPool& pool, Store& store,
                     const RunnerOptions& options, const RunnerHooks& hooks);

}  // namespace grader

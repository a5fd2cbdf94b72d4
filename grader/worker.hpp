// One worker: takes jobs, builds and runs them in jails, says what came out. Holds no expected
// number. Does not judge, retry a whole job, or write anything but protocol lines. Called by
// `perfjudge worker`; tests call it with pipes.
#pragma once

#include "grader/error.hpp"
#include "sandbox/mode.hpp"

#include <filesystem>
#include <optional>

namespace grader {

struct WorkerOptions {
    std::filesystem::path helper;  // perfjudge-jail
    std::filesystem::path cache;   // entry objects and precompiled headers, kept between workers
    std::filesystem::path locks;   // folder of the host-wide lock
    std::optional<sandbox::Mode> mode = std::nullopt;  // none: the best of this host
    std::filesystem::path scratch = "/tmp";  // portable mode: where compilers' folders are made
};

/// Says hello on `out_fd`, then serves the jobs that arrive on `in_fd` until its end. Both stay
/// open. Errors: cannot_judge if no language can be offered; bad_input for a line that is no job;
/// judge_error if the helper or the coordinator is lost. A job that fails on its own is a message.
Result<void> run_worker(const WorkerOptions& options, int in_fd, int out_fd);

}  // namespace grader

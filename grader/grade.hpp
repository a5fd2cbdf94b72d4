// The pipeline of a batch: submissions, code, jobs, verdicts, result folder, summary.
// The only file that knows all stages; prints nothing.
// Called by `perfjudge grade`.
#pragma once

#include "grader/error.hpp"
#include "grader/report.hpp"
#include "grader/summary.hpp"
#include "grader/worker_pool.hpp"
#include "reference/random.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace grader {

struct GradeOptions {
    std::vector<std::filesystem::path> submissions;
    std::filesystem::path tasks, out;
    std::uint32_t repeats = 1;
    std::optional<reference::Seed> hidden_seed;  // none: the public development seed
    std::optional<std::uint64_t> samples;        // a fixed denominator
    bool resume = false;
    bool show_hidden = false;  // in summary.json
    std::string version;       // of this program
    std::string host;          // its name and kernel, for the manifest
    PoolOptions pool;
    int stop_fd = -1;  // readable: stop now
};

struct Progress {
    std::uint64_t done = 0;  // submissions, those of an earlier run included
    std::uint64_t ran = 0;   // those of this run
    std::uint64_t total = 0;
    std::uint64_t accepted = 0;
};

struct GradeResult {
    bool stopped = false;  // on request: no verdicts and no summary yet
    Summary summary;
};

/// Grades a batch into `out`. A submission's failure is a verdict, never an Error.
/// Errors: bad_input (exit code 2) and cannot_judge (3); what was recorded stays and can be
/// resumed.
Result<GradeResult> grade(const GradeOptions& options,
                          const std::function<void(const Progress&)>& on_progress);

/// A file of 64 hexadecimal digits, white space around them allowed. Errors: bad_input.
Result<reference::Seed> read_seed(const std::filesystem::path& path);

}  // namespace grader

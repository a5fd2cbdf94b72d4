// What coordinator and worker say to each other: JSON lines on the worker's stdin and stdout.
// Carries no expected number, and none can be put in: Job has no place for one.
// Written and read by worker_pool.cpp (coordinator) and worker.cpp.
#pragma once

#include "grader/case_input.hpp"
#include "grader/case_output.hpp"
#include "grader/error.hpp"
#include "grader/language.hpp"
#include "sandbox/limits.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace grader {

/// Coordinator to worker: one submission, built once, run `repeats` times on every case, each
/// repeat in a jail of its own, cases in order.
struct Job {
    std::uint64_t id = 0;
    Language language{};
    std::string source;
    sandbox::Limits limits;  // of one case; the compile limits belong to the language
    std::uint32_t repeats = 1;
    std::vector<CaseInput> cases;
};

/// First line of a worker: it has a helper, a mode, and languages whose self-test passed.
struct Hello {
    struct Tool {
        Language language{};
        std::string version;  // first line of what the compiler or interpreter says
    };
    std::uint32_t protocol = 1;
    std::string mode;
    std::vector<Tool> tools;
    std::vector<std::string> missing;  // one precise line per language that is not offered
};

/// Worker to coordinator, in this order for one job: Built, CaseDone..., JobDone; or JobFailed at
/// any point (our fault or the host's: JE).
struct Built {
    std::uint64_t job = 0;
    BuildOutput build;
};
struct CaseDone {
    std::uint64_t job = 0;
    std::uint32_t repeat = 0;
    std::uint32_t index = 0;  // of the case
    CaseOutput output;
};
struct JobDone {
    std::uint64_t job = 0;
};
struct JobFailed {
    std::uint64_t job = 0;
    std::string what;
};
using WorkerMessage = std::variant<Hello, Built, CaseDone, JobDone, JobFailed>;

/// One line without its newline. Bytes from a jail are base64 within it.
std::string encode(const Job& job);
std::string encode(const WorkerMessage& message);
Result<Job> decode_job(std::string_view line);
Result<WorkerMessage> decode_message(std::string_view line);

}  // namespace grader

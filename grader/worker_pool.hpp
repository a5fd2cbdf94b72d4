// N worker processes and one poll loop: gives jobs, reads messages, replaces what dies.
// Does not decide what becomes of a lost job, and never reads an answer.
// Called by runner.cpp.
#pragma once

#include "grader/error.hpp"
#include "grader/protocol.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace grader {

struct PoolOptions {
    std::filesystem::path program;  // of a worker: this program itself
    std::vector<std::string> args;  // "worker"
    std::vector<std::string> env;   // "NAME=value"; nothing is inherited
    std::uint32_t workers = 1;
    std::size_t max_line_bytes = std::size_t{16} << 20U;  // of a message; longer: broken
    std::chrono::milliseconds hello_within{180'000};      // compiling the entry object included
    // A job without any message for so long, beside twice the wall time of a case: broken.
    std::chrono::milliseconds silence{600'000};
    int cannot_judge_code = 3;  // exit code of a worker that need not be started again
};

/// The worker that had this job died or broke the protocol.
struct JobLost {
    std::uint64_t job = 0;
    std::string why;
};
using PoolEvent = std::variant<Hello, Built, CaseDone, JobDone, JobFailed, JobLost>;

/// Move-only; the destructor ends every worker. One job a worker at a time, so a slow coordinator
/// is never flooded: an idle worker waits.
class WorkerPool {
  public:
    /// Starts one worker, and the others when it has said hello: what one of them says of this host
    /// is said once. Errors: cannot_judge if the program cannot be started.
    static Result<WorkerPool> start(const PoolOptions& options);
    WorkerPool(WorkerPool&&) noexcept;
    WorkerPool& operator=(WorkerPool&&) noexcept;
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    ~WorkerPool();

    /// A worker has said hello and has no job.
    [[nodiscard]] bool can_take() const;
    /// No worker has a job.
    [[nodiscard]] bool idle() const;
    /// To an idle worker, the same one if it was the last; call only when can_take().
    void give(const Job& job);
    /// To a worker that is started for it; call only when idle().
    Result<void> give_fresh(const Job& job);

    /// Replaces the worker that has this job; no event follows.
    Result<void> abandon(std::uint64_t job);

    /// Waits until something happened, `stop_fd` is readable (-1: none), or `at_most` has passed.
    /// Errors: cannot_judge if workers end before their hello, for good or again and again.
    Result<std::vector<PoolEvent>> wait(int stop_fd, std::chrono::milliseconds at_most);

  private:
    struct Slot;
    explicit WorkerPool(PoolOptions options);
    Result<void> start_worker(Slot& slot);
    Result<void> start_all();
    Result<void> turn(Slot& slot, bool readable, std::vector<PoolEvent>& events);
    Result<void> take_lines(Slot& slot, std::vector<PoolEvent>& events);
    Result<void> broken(Slot& slot, std::string why, std::vector<PoolEvent>& events);

    PoolOptions options_;
    std::vector<Slot> slots_;
};

}  // namespace grader

// Owner of one child process: waits with a deadline, kills on destruction.
// Does not start anything: launch.hpp does.
// Used for workers and helpers.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/unique_fd.hpp"

#include <chrono>
#include <optional>

#include <sys/types.h>

namespace sandbox {

/// How a trusted child ended.
struct ExitStatus {
    bool signaled = false;
    int number = 0;  // exit code, or signal
};

/// Move-only. Holds a pidfd, so that no signal ever reaches a reused pid. The destructor kills with
/// SIGKILL and reaps.
class Child {
  public:
    /// Takes over a child of this process that nobody else waits for.
    static Result<Child> adopt(pid_t pid);
    Child() = default;
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    [[nodiscard]] pid_t pid() const { return pid_; }
    /// Becomes readable when the child has ended; -1 after it was reaped.
    [[nodiscard]] int pidfd() const { return pidfd_.get(); }
    [[nodiscard]] bool running() const { return pid_ > 0; }
    void send(int signal) const;
    /// Reaps the child if it ends within `timeout`; none if it still runs (or was reaped before).
    std::optional<ExitStatus> wait_for(std::chrono::milliseconds timeout);

  private:
    void end();
    pid_t pid_ = -1;
    UniqueFd pidfd_;
};

}  // namespace sandbox

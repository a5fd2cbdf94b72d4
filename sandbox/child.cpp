// Waiting and killing through a pidfd.
// Never signals a bare pid.
// See child.hpp.
#include "sandbox/child.hpp"

#include <cerrno>
#include <csignal>
#include <utility>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox {

Result<Child> Child::adopt(pid_t pid) {
    const long fd = ::syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0)
        return tl::unexpected(
            Error{Error::Code::supervisor_failed, errno, "pidfd_open of a new child failed"});
    Child child;
    child.pid_ = pid;
    child.pidfd_.reset(static_cast<int>(fd));
    return child;
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

Child& Child::operator=(Child&& other) noexcept {
    if (this != &other) {
        end();
        pid_ = std::exchange(other.pid_, -1);
        pidfd_ = std::move(other.pidfd_);
    }
    return *this;
}

Child::~Child() {
    end();
}

void Child::end() {
    if (!running()) return;
    send(SIGKILL);
    // A killed child ends as soon as it leaves the kernel; there is nothing to do but wait for it.
    while (running() && !wait_for(std::chrono::milliseconds(1000))) {
    }
}

void Child::send(int signal) const {
    if (running()) (void)::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0);
}

std::optional<ExitStatus> Child::wait_for(std::chrono::milliseconds timeout) {
    if (!running()) return std::nullopt;
    struct pollfd poll_fd = {pidfd_.get(), POLLIN, 0};
    if (::poll(&poll_fd, 1, static_cast<int>(timeout.count())) <= 0) return std::nullopt;
    siginfo_t info{};
    if (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED) != 0 && errno == EINTR)
        return std::nullopt;
    pid_ = -1;
    pidfd_.reset();
    return ExitStatus{info.si_code != CLD_EXITED, info.si_status};
}

}  // namespace sandbox

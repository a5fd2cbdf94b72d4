// A handler that writes into an event descriptor.
// The only signal handler of the program; its two variables are the only global state.
// See stop_signal.hpp.
#include "tools/stop_signal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace tools {

namespace {

// A handler can reach nothing but globals.
volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t event_fd = -1;

extern "C" void on_stop(int signal) {
    const int saved = errno;
    caught = signal;
    const std::uint64_t one = 1;
    (void)!::write(event_fd, &one, sizeof one);
    errno = saved;
}

}  // namespace

int catch_stop_signals() {
    const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) return -1;
    event_fd = fd;
    struct sigaction action {};
    action.sa_handler = on_stop;
    (void)::sigaction(SIGINT, &action, nullptr);
    (void)::sigaction(SIGTERM, &action, nullptr);
    return fd;
}

int stop_signal() {
    return caught;
}

}  // namespace tools

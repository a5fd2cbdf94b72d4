// Tests of sandbox/launch.hpp and sandbox/child.hpp with programs of the system.
// No jail.
// Run by the unit suite.
#include "sandbox/launch.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

struct Pipe {
    sandbox::UniqueFd read, write;
    Pipe() {
        int fds[2];
        REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
        read.reset(fds[0]);
        write.reset(fds[1]);
    }
};

std::string drain(int fd) {
    std::string text;
    char buffer[256];
    for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    return text;
}

}  // namespace

TEST_CASE("launch: exactly the given arguments, environment and descriptors arrive") {
    Pipe out;
    const sandbox::UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const int inherited = ::fcntl(null.get(), F_DUPFD, 20);  // not close-on-exec
    auto child = sandbox::launch(
        {"/bin/sh",
         {"-c", "echo \"$1:$A\"; exec ls /proc/self/fd", "sh", "x y"},
         {"A=b", "PATH=/bin:/usr/bin"},
         {{0, null.get()}, {1, out.write.get()}, {2, null.get()}, {5, null.get()}}});
    (void)::close(inherited);
    REQUIRE(child.has_value());
    out.write.reset();
    CHECK(drain(out.read.get()) == "x y:b\n0\n1\n2\n3\n5\n");  // 3 is the folder that ls reads
    const auto status = child->wait_for(5s);
    REQUIRE(status.has_value());
    CHECK(!status->signaled);
    CHECK(status->number == 0);
}

TEST_CASE("launch: a missing program is an error that names it") {
    const sandbox::UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const auto child = sandbox::launch(
        {"/no/such/program", {}, {}, {{0, null.get()}, {1, null.get()}, {2, null.get()}}});
    REQUIRE(!child.has_value());
    CHECK(child.error().what.find("/no/such/program") != std::string::npos);
    CHECK(child.error().sys_errno == ENOENT);
}

TEST_CASE("child: destruction ends it, and a signal is reported as one") {
    const sandbox::UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const std::vector<sandbox::Binding> fds{{0, null.get()}, {1, null.get()}, {2, null.get()}};
    pid_t pid = 0;
    {
        auto child = sandbox::launch({"/bin/sleep", {"60"}, {}, fds});
        REQUIRE(child.has_value());
        pid = child->pid();
        CHECK(!child->wait_for(1ms).has_value());
    }
    CHECK(::kill(pid, 0) != 0);
    auto child = sandbox::launch({"/bin/sleep", {"60"}, {}, fds});
    REQUIRE(child.has_value());
    child->send(SIGTERM);
    const auto status = child->wait_for(5s);
    REQUIRE(status.has_value());
    CHECK(status->signaled);
    CHECK(status->number == SIGTERM);
}

// Boost.Process v1 behind one function.
// Does not use its waits (they swap the SIGCHLD handler): Child polls a pidfd.
// See launch.hpp.
#include "sandbox/launch.hpp"

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <linux/close_range.h>
#include <unistd.h>

namespace sandbox {

namespace {

namespace bp = boost::process;

constexpr int kFirstSpareFd = 200;  // above every number that a child is given

/// Puts the descriptors in place in the new process. The sources were moved out of the way before.
struct PlaceDescriptors : bp::extend::handler {
    std::vector<Binding> bindings;

    template <class Executor>
    void on_exec_setup(Executor& executor) const {
        // Whatever we ourselves inherited open must not travel on.
        (void)::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        for (const Binding& binding : bindings) {
            if (::dup2(binding.fd, binding.child_fd) < 0)
                executor.set_error(std::error_code(errno, std::system_category()), "dup2");
        }
    }
};

bp::environment environment_of(const std::vector<std::string>& variables) {
    bp::environment environment;
    environment.clear();
    for (const std::string& variable : variables) {
        const std::size_t equals = variable.find('=');
        assert(equals != std::string::npos);
        environment[variable.substr(0, equals)] = variable.substr(equals + 1);
    }
    return environment;
}

Error failed(const Launch& request, int number, std::string_view what) {
    return {Error::Code::setup_failed, number,
            fmt::format("cannot start {}: {}: {}", request.program.string(), what,
                        std::generic_category().message(number))};
}

}  // namespace

Result<Child> launch(const Launch& request) {
    assert(std::count_if(request.fds.begin(), request.fds.end(),
                         [](const Binding& b) { return b.child_fd <= 2; }) == 3);
    std::vector<UniqueFd> moved;
    PlaceDescriptors place;
    for (const Binding& binding : request.fds) {
        moved.emplace_back(::fcntl(binding.fd, F_DUPFD_CLOEXEC, kFirstSpareFd));
        if (!moved.back().valid()) return tl::unexpected(failed(request, errno, "dup"));
        place.bindings.push_back({binding.child_fd, moved.back().get()});
    }
    std::error_code error;
    bp::child process(bp::exe = request.program.string(), bp::args = request.args,
                      bp::env = environment_of(request.env), place, error);
    if (error) return tl::unexpected(failed(request, error.value(), "exec"));
    const pid_t pid = process.id();
    process.detach();
    return Child::adopt(pid);
}

}  // namespace sandbox

// What a sandbox function says when the host, not the submission, is at fault.
// Does not describe what a program did: that is an Outcome.
// Used by everything in sandbox/ and by its callers.
#pragma once

#include <tl/expected.hpp>

#include <string>

namespace sandbox {

struct Error {
    enum class Code {
        bad_request,       // the caller asked for something impossible
        host_unsupported,  // this host lacks a mechanism that the mode promises
        setup_failed,      // a confinement step failed
        cannot_execute,    // the kernel refuses the program itself, whatever it is
        supervisor_failed  // the helper died or broke the protocol
    };
    Code code{};
    int sys_errno = 0;  // 0 where no system call is to blame
    std::string what;   // one line, lower case: what was tried, on what, and what the user can do
};

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace sandbox

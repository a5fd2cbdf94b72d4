// What a grader function says when the host or an input of ours is at fault.
// Does not describe a submission's failure: that is a Verdict with a Reason.
// Used by everything in grader/ and by its callers.
#pragma once

#include <tl/expected.hpp>

#include <string>

namespace grader {

struct Error {
    enum class Code {
        bad_input,     // an input that a person wrote is wrong: exit code 2
        cannot_judge,  // this host cannot judge (no jail mode, no compiler): exit code 3
        judge_error    // one job failed for a reason of ours or of the host: JE
    };
    Code code{};
    std::string what;  // one line, lower case: what was tried, on what, and what the user can do
};

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace grader

// One error of the sandbox as one of the grader.
// Outcomes are not errors and never come here.
// Used by toolkit.cpp, build.cpp, run_case.cpp and worker.cpp.
#pragma once

#include "grader/error.hpp"
#include "sandbox/error.hpp"

#include <utility>

namespace grader {

inline Error from_sandbox(sandbox::Error error) {
    const auto code = error.code == sandbox::Error::Code::host_unsupported
                          ? Error::Code::cannot_judge
                          : Error::Code::judge_error;
    return {code, std::move(error.what)};
}

}  // namespace grader

// What came out of one case: how the program ended and the bytes it left. Hostile bytes, not yet
// read. Holds no verdict and no expected number. Made by run_case.cpp in a worker, judged in the
// coordinator.
#pragma once

#include "sandbox/outcome.hpp"

#include <string>

namespace grader {

struct CaseOutput {
    sandbox::Outcome outcome;          // its `answer` is what arrived on the answer pipe
    bool ran_again = false;            // a clock was near: this is the second, lonely run
    bool out_of_instructions = false;  // the Lua host ended it: TLE instructions, not an exit code
};

/// What became of a submission's build.
struct BuildOutput {
    bool built = false;
    sandbox::Outcome outcome;  // of the compiler; for interpreted languages a default Outcome
    std::string log;           // diagnostics, cut to 64 KiB, untrusted text
    bool object_too_large = false;
};

}  // namespace grader

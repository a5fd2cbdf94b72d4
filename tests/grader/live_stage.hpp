// One supervisor and toolkit for all tests of the live suite that need real jails.
// Judges nothing.
// Used by tests/grader/live_*_test.cpp.
#pragma once

#include "grader/build.hpp"
#include "grader/languages.hpp"
#include "grader/run_case.hpp"

#include <string>
#include <string_view>

namespace live {

/// Started at the first call; ends the program with 77 (or fails it, where the jail must work) if
/// this host cannot jail.
class Stage {
  public:
    static Stage& get();

    grader::Build build(grader::Language language, std::string_view source);
    /// Builds and runs `source` on one case; a source that does not build fails the test.
    grader::CaseOutput run(grader::Language language, std::string_view source,
                           std::string_view input = grader::kSelfTestCase);
    grader::CaseOutput run(const grader::Program& program, std::string_view input);

    sandbox::Limits limits;  // of a case; tests may change a copy
    sandbox::Supervisor supervisor;
    grader::Toolkit toolkit;

  private:
    Stage(sandbox::Supervisor started, grader::Toolkit made);
};

std::string helper_path();
std::string cache_path();

}  // namespace live

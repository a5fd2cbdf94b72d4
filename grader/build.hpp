// From source to a program, in a jail of its own: the first of the two jailed stages.
// Does not judge what the compiler said.
// Called by worker.cpp, once per submission.
#pragma once

#include "grader/case_output.hpp"
#include "grader/error.hpp"
#include "grader/language.hpp"
#include "grader/toolkit.hpp"
#include "sandbox/jail.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// What a case runs. Repeats run the same bytes.
struct Program {
    Language language{};
    std::optional<sandbox::Image> image;  // of a compiled language
    std::string source;                   // of an interpreted one: put into the box for every case
};

struct Build {
    BuildOutput output;
    std::optional<Program> program;  // none where the compiler refused
};

/// Errors: the host's only.
Result<Build> build(sandbox::Supervisor& supervisor, const Toolkit& toolkit, Language language,
                    std::string_view source);

}  // namespace grader

// The table of languages: how each is built, run, and tested at start-up.
// Knows no task and no verdict; names and spellings are language.hpp's.
// Used by toolkit.cpp, build.cpp, run_case.cpp and worker.cpp.
#pragma once

#include "grader/language.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/view.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// How sources become a program. Interpreted languages have none.
struct CompileRecipe {
    std::string_view compiler;            // path in the view of the compile profile
    std::string_view source_name;         // of the submission, in the box
    std::vector<std::string_view> flags;  // of every compilation: entry code, header, submission
    std::vector<std::string_view> env;
    sandbox::Limits limits;
    std::uint64_t program_bytes;  // a larger program is refused
};

struct LanguageRow {
    Language language{};
    sandbox::Profile profile{};          // that cases run under
    std::string_view program;            // path in the view; "": an image (built, or our host)
    std::vector<std::string_view> argv;  // "{instructions}" stands for the budget of a case
    std::vector<std::string_view> env;
    std::vector<std::string_view> version_argv;  // prints the tool's version; empty: `version`
    std::string_view version;
    std::optional<CompileRecipe> compile;
    std::string_view self_test;  // a submission whose record of kSelfTestCase passes
};

std::span<const LanguageRow> language_rows();
const LanguageRow& language_row(Language language);

/// One small case, and whether the record that a self-test left for it is the right one.
extern const std::string_view kSelfTestCase;
bool self_test_passed(std::string_view record);

/// The work budget of one case in Lua, in instructions: the same end on every machine, well before
/// the CPU limit on most.
std::uint64_t instruction_budget(const sandbox::Limits& limits);

}  // namespace grader

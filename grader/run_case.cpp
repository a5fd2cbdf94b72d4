// Hands the submission over where it is interpreted, runs it, reads how it ended.
// Reads no byte of the answer.
// See run_case.hpp.
#include "grader/run_case.hpp"

#include "grader/languages.hpp"
#include "grader/lua_host.hpp"
#include "grader/sandbox_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace grader {

namespace {

constexpr int kCannotExecute = 126;                // as shells say it
constexpr std::size_t kPrintedBytes = 64U << 10U;  // of stdout and stderr: for people, never judged

sandbox::Command command_of(const LanguageRow& row, const Toolkit& toolkit, const Program& program,
                            const sandbox::Limits& limits) {
    sandbox::Command command;
    if (program.image)
        command.image = &*program.image;
    else if (row.program.empty())
        command.image = &toolkit.lua_host;
    else
        command.path = row.program;
    for (const std::string_view word : row.argv)
        command.argv.push_back(word == "{instructions}" ? fmt::to_string(instruction_budget(limits))
                                                        : std::string(word));
    command.env.assign(row.env.begin(), row.env.end());
    command.zygote = !row.compile;
    return command;
}

/// What an interpreter reads: the source's size, a newline, the source, the case. By descriptor,
/// since nothing that an interpreter trusts may lie where a program can write.
std::string with_source_before(const Program& program, const CaseInput& input) {
    return fmt::format("{}\n{}{}", program.source.size(), program.source, input.json);
}

/// The linker made it and the kernel will not start it: that is the submission's doing (a loader
/// that it asked for, segments that do not fit), so it ends like a program that failed.
CaseOutput refused_by_kernel(const sandbox::Error& error) {
    CaseOutput output;
    output.outcome.ending =
        error.sys_errno == ENOMEM ? sandbox::Ending::memory_limit : sandbox::Ending::exited;
    output.outcome.exit_code = error.sys_errno == ENOMEM ? 0 : kCannotExecute;
    output.outcome.err = error.what;
    return output;
}

void cut(std::string& text) {
    if (text.size() > kPrintedBytes) text.resize(kPrintedBytes);
}

}  // namespace

Result<CaseOutput> run_case(sandbox::Jail& jail, const Toolkit& toolkit, const Program& program,
                            const CaseInput& input, const sandbox::Limits& limits) {
    const LanguageRow& row = language_row(program.language);
    sandbox::Command command = command_of(row, toolkit, program, limits);
    const std::string with_source = row.compile ? "" : with_source_before(program, input);
    command.stdin_bytes = row.compile ? input.json : with_source;
    auto outcome = jail.run(command, limits);
    if (!outcome && outcome.error().code == sandbox::Error::Code::cannot_execute)
        return refused_by_kernel(outcome.error());
    if (!outcome) return tl::unexpected(from_sandbox(std::move(outcome).error()));
    CaseOutput output;
    output.outcome = std::move(*outcome);
    cut(output.outcome.out);
    cut(output.outcome.err);
    // Not one exit code may become our own fault here: a submission that breaks its host program
    // could choose it.
    if (program.language != Language::lua || output.outcome.ending != sandbox::Ending::exited)
        return output;
    output.out_of_instructions = output.outcome.exit_code == kLuaOutOfInstructions;
    return output;
}

bool needs_lonely_run(const CaseOutput& output, const sandbox::Limits& limits) {
    const sandbox::Outcome& outcome = output.outcome;
    switch (outcome.ending) {
        case sandbox::Ending::cpu_limit:
        case sandbox::Ending::wall_limit:
            return true;
        case sandbox::Ending::memory_limit:
            return outcome.limits_in_force.memory == sandbox::Limiter::sampled;
        case sandbox::Ending::signaled:
        case sandbox::Ending::output_limit:
        case sandbox::Ending::policy_violation:
            return false;
        case sandbox::Ending::exited:
            break;
    }
    const auto above_half = [](std::uint64_t used_us, std::chrono::milliseconds limit) {
        return used_us * 2 > static_cast<std::uint64_t>(limit.count()) * 1000;
    };
    return outcome.exit_code == 0 && (above_half(outcome.usage.cpu_us, limits.cpu_time) ||
                                      above_half(outcome.usage.wall_us, limits.wall_time));
}

bool ended_hard(const CaseOutput& output) {
    switch (output.outcome.ending) {
        case sandbox::Ending::exited:
            return output.out_of_instructions;
        case sandbox::Ending::signaled:
            return false;
        case sandbox::Ending::cpu_limit:
        case sandbox::Ending::wall_limit:
        case sandbox::Ending::memory_limit:
        case sandbox::Ending::output_limit:
        case sandbox::Ending::policy_violation:
            return true;
    }
    return true;
}

}  // namespace grader

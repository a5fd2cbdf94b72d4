// The map from endings to verdicts, for cases and for builds.
// Reads no number of an answer: checkers do.
// See judge.hpp.
#include "grader/judge.hpp"

#include <fmt/format.h>

#include <utility>

namespace grader {

namespace {

using sandbox::Ending;
using sandbox::Outcome;

/// What an ending means, before any answer is looked at.
Judgement of_ending(const Outcome& outcome) {
    switch (outcome.ending) {
        case Ending::exited:
            if (outcome.exit_code != 0) return {Verdict::run_time_error, Reason::exit_code};
            return {Verdict::accepted, Reason::none};
        case Ending::signaled:
            return {Verdict::run_time_error, Reason::signal};
        case Ending::cpu_limit:
            return {Verdict::time_limit, Reason::cpu};
        case Ending::wall_limit:
            return {Verdict::time_limit, Reason::wall};
        case Ending::memory_limit:
            return {Verdict::memory_limit, Reason::none};
        case Ending::output_limit:
            return {Verdict::output_limit, Reason::none};
        case Ending::policy_violation:
            return {Verdict::security_violation, Reason::call};
    }
    return {};
}

/// A compiler that ended by itself may have done so because it was refused memory or room.
Reason of_refusals(const Outcome& outcome) {
    if (outcome.limits_hit.memory) return Reason::compile_memory;
    if (outcome.limits_hit.disk || outcome.limits_hit.file_size || outcome.limits_hit.inodes)
        return Reason::compile_output;
    return Reason::refused;
}

Reason of_build(const BuildOutput& build) {
    if (build.object_too_large) return Reason::compile_output;
    switch (build.outcome.ending) {
        case Ending::exited:
        case Ending::signaled:
            return of_refusals(build.outcome);
        case Ending::cpu_limit:
        case Ending::wall_limit:
            return Reason::compile_time;
        case Ending::memory_limit:
            return Reason::compile_memory;
        case Ending::output_limit:
            return Reason::compile_output;
        case Ending::policy_violation:
            return Reason::refused;
    }
    return Reason::refused;
}

std::string describe(const Outcome& outcome) {
    switch (outcome.ending) {
        case Ending::exited:
            return fmt::format("exit code {}", outcome.exit_code);
        case Ending::signaled:
            return fmt::format("signal {}", outcome.signal);
        case Ending::policy_violation:
            return fmt::format("call {}", outcome.blocked_call);
        case Ending::cpu_limit:
        case Ending::wall_limit:
        case Ending::memory_limit:
        case Ending::output_limit:
            return std::string(sandbox::name(outcome.ending));
    }
    return {};
}

/// Whether the program ended by itself: only then do the bytes it left depend on no clock of ours.
bool ended_by_itself(const Outcome& outcome) {
    return outcome.ending == Ending::exited || outcome.ending == Ending::signaled;
}

Flags flags_of(const CaseOutput& output, Verdict verdict) {
    Flags flags = 0;
    if (output.outcome.leftover_processes) flags |= Flag::leftover_processes;
    if (verdict == Verdict::security_violation) flags |= Flag::tamper;
    if (output.ran_again && verdict != Verdict::time_limit) flags |= Flag::near_limit;
    return flags;
}

}  // namespace

CaseResult judge(const CaseOutput& output, const Expected& expected) {
    const Outcome& outcome = output.outcome;
    CaseResult result;
    result.judgement = of_ending(outcome);
    result.flags = flags_of(output, result.judgement.verdict);
    if (result.judgement.verdict != Verdict::accepted) result.detail = describe(outcome);
    if (output.out_of_instructions) {  // our Lua host's exit, which no submission can choose
        result.judgement = {Verdict::time_limit, Reason::instructions};
        result.detail = "the work budget";
        return result;
    }
    if (!ended_by_itself(outcome)) return result;

    CheckResult checked = check(expected, outcome.answer);
    result.flags = static_cast<Flags>(result.flags | checked.flags);
    if (outcome.ending == Ending::exited && !checked.exception.empty()) {
        result.judgement = {Verdict::run_time_error, Reason::exception};
        result.detail = std::move(checked.exception);
    } else if (result.judgement.verdict == Verdict::accepted) {
        result.judgement = checked.judgement;
        result.mismatches = std::move(checked.mismatches);
    }
    return result;
}

BuildResult judge_build(const BuildOutput& build) {
    if (build.built) return {{Verdict::accepted, Reason::none}, {}};
    std::string detail =
        build.object_too_large ? "the program is too large" : describe(build.outcome);
    return {{Verdict::compile_error, of_build(build)}, std::move(detail)};
}

}  // namespace grader

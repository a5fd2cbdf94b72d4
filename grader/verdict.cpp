// Tables of verdict codes, reasons and flags, and which verdict is graver.
// Does not decide verdicts.
// See verdict.hpp.
#include "grader/verdict.hpp"

#include <array>

namespace grader {

std::string_view code(Verdict verdict) {
    switch (verdict) {
        case Verdict::accepted:
            return "AC";
        case Verdict::wrong_answer:
            return "WA";
        case Verdict::presentation_error:
            return "PE";
        case Verdict::compile_error:
            return "CE";
        case Verdict::run_time_error:
            return "RTE";
        case Verdict::time_limit:
            return "TLE";
        case Verdict::memory_limit:
            return "MLE";
        case Verdict::output_limit:
            return "OLE";
        case Verdict::security_violation:
            return "SV";
        case Verdict::judge_error:
            return "JE";
    }
    return "JE";
}

std::string_view name(Reason reason) {
    switch (reason) {
        case Reason::none:
            return "";
        case Reason::no_code:
            return "no_code";
        case Reason::truncated:
            return "truncated";
        case Reason::wrong_format:
            return "wrong_format";
        case Reason::refused:
            return "refused";
        case Reason::compile_time:
            return "compile_time";
        case Reason::compile_memory:
            return "compile_memory";
        case Reason::compile_output:
            return "compile_output";
        case Reason::value:
            return "value";
        case Reason::non_finite:
            return "non_finite";
        case Reason::not_integer:
            return "not_integer";
        case Reason::no_answer:
            return "no_answer";
        case Reason::unreadable:
            return "unreadable";
        case Reason::missing_key:
            return "missing_key";
        case Reason::extra_key:
            return "extra_key";
        case Reason::extra_answer:
            return "extra_answer";
        case Reason::cpu:
            return "cpu";
        case Reason::wall:
            return "wall";
        case Reason::instructions:
            return "instructions";
        case Reason::exit_code:
            return "exit_code";
        case Reason::signal:
            return "signal";
        case Reason::exception:
            return "exception";
        case Reason::call:
            return "call";
        case Reason::breaks_worker:
            return "breaks_worker";
        case Reason::host:
            return "host";
    }
    return "";
}

std::string_view name(Flag flag) {
    switch (flag) {
        case Flag::unstable:
            return "unstable";
        case Flag::near_limit:
            return "near_limit";
        case Flag::tamper:
            return "tamper";
        case Flag::leftover_processes:
            return "leftover_processes";
        case Flag::likely_memorised:
            return "likely_memorised";
        case Flag::truncated:
            return "truncated";
    }
    return "";
}

std::span<const Flag> all_flags() {
    static constexpr std::array kFlags{Flag::unstable,         Flag::near_limit,
                                       Flag::tamper,           Flag::leftover_processes,
                                       Flag::likely_memorised, Flag::truncated};
    return kFlags;
}

namespace {

// CE never meets a verdict of a case; it stands above them so that a table stays total.
int gravity(Verdict verdict) {
    switch (verdict) {
        case Verdict::accepted:
            return 0;
        case Verdict::wrong_answer:
            return 1;
        case Verdict::presentation_error:
            return 2;
        case Verdict::run_time_error:
            return 3;
        case Verdict::output_limit:
            return 4;
        case Verdict::time_limit:
            return 5;
        case Verdict::memory_limit:
            return 6;
        case Verdict::security_violation:
            return 7;
        case Verdict::compile_error:
            return 8;
        case Verdict::judge_error:
            return 9;
    }
    return 9;
}

}  // namespace

Judgement graver(Judgement a, Judgement b) {
    return gravity(b.verdict) > gravity(a.verdict) ? b : a;
}

}  // namespace grader

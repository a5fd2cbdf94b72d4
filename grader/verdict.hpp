// Verdicts (ICPC judgement types), their closed reasons, and flags.
// Does not look at outputs: checkers and outcomes are mapped to verdicts elsewhere.
// Used by every stage that decides and by every report.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace grader {

enum class Verdict : std::uint8_t {
    accepted,
    wrong_answer,
    presentation_error,
    compile_error,
    run_time_error,
    time_limit,
    memory_limit,
    output_limit,
    security_violation,
    judge_error
};

enum class Reason : std::uint8_t {
    none,  // accepted, MLE, OLE
    // CE
    no_code,
    truncated,
    wrong_format,
    refused,
    compile_time,
    compile_memory,
    compile_output,
    // WA
    value,
    non_finite,
    not_integer,
    // PE
    no_answer,
    unreadable,
    missing_key,
    extra_key,
    extra_answer,
    // TLE
    cpu,
    wall,
    instructions,
    // RTE
    exit_code,
    signal,
    exception,
    // SV
    call,
    breaks_worker,
    // JE
    host
};

/// Bits; verdicts.jsonl carries only those that depend on bytes alone.
enum class Flag : std::uint8_t {
    unstable = 1,
    near_limit = 2,
    tamper = 4,
    leftover_processes = 8,
    likely_memorised = 16,
    truncated = 32
};
using Flags = std::uint8_t;
constexpr Flags operator|(Flag a, Flag b) {
    return static_cast<Flags>(a) | static_cast<Flags>(b);
}
constexpr Flags& operator|=(Flags& flags, Flag flag) {
    return flags = static_cast<Flags>(flags | static_cast<Flags>(flag));
}
constexpr bool has(Flags flags, Flag flag) {
    return (flags & static_cast<Flags>(flag)) != 0;
}

/// "AC", "WA", ...
std::string_view code(Verdict verdict);
/// "value", "missing_key", ...; "" for none.
std::string_view name(Reason reason);
std::string_view name(Flag flag);
std::span<const Flag> all_flags();

/// A verdict with the reason that goes with it.
struct Judgement {
    Verdict verdict = Verdict::judge_error;
    Reason reason = Reason::none;
    bool operator==(const Judgement&) const = default;
};

/// The graver of two: JE before SV, MLE, TLE, OLE, RTE, PE, WA, AC. The first of equals stays.
Judgement graver(Judgement a, Judgement b);

}  // namespace grader

// Which facts of a grade depend on bytes alone.
// Decides no verdict.
// See verdict_line.hpp.
#include "grader/verdict_line.hpp"

#include <algorithm>

namespace grader {

namespace {

constexpr Flags kFlagsOfBytes = static_cast<Flags>((Flag::tamper | Flag::likely_memorised) |
                                                   static_cast<Flags>(Flag::truncated));

/// Which clock ended a case depends on the host's load.
std::string_view stable_reason(const Judgement& judgement) {
    return judgement.verdict == Verdict::time_limit ? "time" : name(judgement.reason);
}

bool without_cases(const Repeat& repeat) {
    return repeat.run.cases.empty();
}

}  // namespace

Grade grade_of(const std::vector<Repeat>& repeats, const CaseTotals& totals) {
    Grade grade;
    const auto caseless = std::find_if(repeats.begin(), repeats.end(), without_cases);
    if (caseless != repeats.end()) {
        grade = grade_without_cases(caseless->judgement, caseless->detail, totals);
    } else {
        std::vector<RunResult> runs;
        for (const Repeat& repeat : repeats) runs.push_back(repeat.run);
        grade = aggregate(runs, totals);
    }
    for (const Repeat& repeat : repeats)
        grade.flags = static_cast<Flags>(grade.flags | repeat.flags);
    return grade;
}

bool is_complete(const std::vector<Repeat>& repeats, std::uint32_t wanted) {
    const auto decided = [](const Repeat& repeat) {
        return without_cases(repeat) && repeat.judgement.verdict != Verdict::judge_error;
    };
    if (std::any_of(repeats.begin(), repeats.end(), decided)) return true;
    return repeats.size() >= wanted && std::none_of(repeats.begin(), repeats.end(), without_cases);
}

std::string verdict_line(const Entry& entry, std::uint32_t repeats) {
    const Json none = nullptr;
    const Grade& grade = entry.grade;
    return dump(Json::object(
        {{"task", entry.key.task},
         {"model", entry.key.model},
         {"sample", entry.key.sample},
         {"round", entry.key.round},
         {"language", entry.language ? Json(name(*entry.language)) : none},
         {"verdict", code(grade.judgement.verdict)},
         {"reason", stable_reason(grade.judgement)},
         {"flags", flag_names(grade.flags, kFlagsOfBytes)},
         {"cases_passed", grade.all.passed},
         {"cases_run", grade.all.run},
         {"cases_total", grade.all.total},
         {"repeats", repeats},
         {"source_sha256", entry.source_sha256.empty() ? none : Json(entry.source_sha256)}}));
}

}  // namespace grader

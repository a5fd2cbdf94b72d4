// Order and completeness of a worker's messages about one job.
// Decides no verdict: judge.cpp does.
// See try_result.hpp.
#include "grader/try_result.hpp"

#include "grader/judge.hpp"

#include <algorithm>
#include <utility>

namespace grader {

namespace {

constexpr std::ptrdiff_t kGraveCasesThatStop = 3;

Error out_of_order(std::string what) {
    return {Error::Code::judge_error, std::move(what)};
}

bool stops_a_run(const CaseResult& result) {
    switch (result.judgement.verdict) {
        case Verdict::time_limit:
        case Verdict::memory_limit:
        case Verdict::output_limit:
        case Verdict::security_violation:
            return true;
        case Verdict::accepted:
        case Verdict::wrong_answer:
        case Verdict::presentation_error:
        case Verdict::compile_error:
        case Verdict::run_time_error:
        case Verdict::judge_error:
            return false;
    }
    return false;
}

}  // namespace

TryResult::TryResult(const Cases& cases, std::uint32_t visible, std::uint32_t repeats)
    : cases_(cases), visible_(visible), repeats_(repeats) {}

Result<void> TryResult::add(const Built& built) {
    if (build_) return tl::unexpected(out_of_order("the worker built a submission twice"));
    build_ = built.build;
    return {};
}

Result<std::optional<EndedRepeat>> TryResult::add(const CaseDone& done) {
    if (!build_ || !build_->built)
        return tl::unexpected(out_of_order("the worker ran what it had not built"));
    Result<std::optional<EndedRepeat>> ended;
    if (done.repeat == ended_ + 1) ended = take_repeat();
    if (!ended) return ended;
    std::vector<CaseResult>& results = current_.repeat.run.cases;
    if (done.repeat != ended_ || done.repeat >= repeats_ || done.index != results.size() ||
        done.index >= cases_.inputs.size())
        return tl::unexpected(out_of_order("the worker ran cases out of order"));
    CaseResult result = judge(done.output, cases_.expected[done.index]);
    all_passed_ = all_passed_ && result.judgement.verdict == Verdict::accepted;
    current_.repeat.slowest_cpu_us =
        std::max(current_.repeat.slowest_cpu_us, done.output.outcome.usage.cpu_us);
    current_.details.push_back(case_detail(done.index, done.index < visible_, result, done.output));
    results.push_back(std::move(result));
    return results.size() == cases_.inputs.size() && !*ended ? take_repeat() : ended;
}

Result<std::optional<EndedRepeat>> TryResult::take_repeat() {
    Repeat& repeat = current_.repeat;
    const std::vector<CaseResult>& results = repeat.run.cases;
    const bool all = results.size() == cases_.inputs.size();
    const bool stopped =
        std::count_if(results.begin(), results.end(), stops_a_run) >= kGraveCasesThatStop;
    if (results.empty() || (!all && !stopped))
        return tl::unexpected(out_of_order("the worker left cases out"));
    repeat.judgement = combine(repeat.run);
    for (const CaseResult& result : results)
        repeat.flags = static_cast<Flags>(repeat.flags | result.flags);
    ++ended_;
    return std::optional<EndedRepeat>(std::exchange(current_, EndedRepeat{}));
}

Result<std::optional<EndedRepeat>> TryResult::finish() {
    if (!build_) return tl::unexpected(out_of_order("the worker built nothing"));
    const BuildResult built = judge_build(*build_);
    if (!build_->built) {
        all_passed_ = false;
        EndedRepeat ended;
        ended.repeat.judgement = built.judgement;
        ended.repeat.detail = built.detail;
        return std::optional<EndedRepeat>(std::move(ended));
    }
    Result<std::optional<EndedRepeat>> last;
    if (ended_ != repeats_) last = take_repeat();
    if (last && ended_ != repeats_)
        return tl::unexpected(out_of_order("the worker left repeats out"));
    return last;
}

}  // namespace grader

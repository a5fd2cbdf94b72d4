// One loop over the pool's events. Which try follows which: attempts.cpp; what a try brought:
// try_result.cpp.
// See runner.hpp.
#include "grader/runner.hpp"

#include "grader/attempts.hpp"
#include "grader/known_good.hpp"
#include "grader/try_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <poll.h>

namespace grader {

namespace {

constexpr std::chrono::milliseconds kTurn{1'000};

/// A try that is due.
struct Due {
    Work* work = nullptr;
    Step step = Step::first;
};

/// A try that a worker has.
struct Active {
    Due due;
    std::unique_ptr<TryResult> result;
};

bool is_guard(Step step) {
    return step == Step::guard_before || step == Step::guard_after;
}

bool is_readable(int fd) {
    struct pollfd poll_fd = {fd, POLLIN, 0};
    return fd >= 0 && ::poll(&poll_fd, 1, 0) > 0;
}

class Runner {
  public:
    Runner(WorkerPool& pool, Store& store, const RunnerOptions& options, const RunnerHooks& hooks)
        : pool_(pool), store_(store), options_(options), hooks_(hooks) {}

    Result<bool> run(std::vector<Work>& works);

  private:
    Result<void> start_due();
    Result<void> start_alone();
    Result<void> start(const Due& due, bool fresh);
    [[nodiscard]] bool offered(Language language) const;

    Result<void> handle(Hello&& hello);
    Result<void> handle(Built&& built);
    Result<void> handle(CaseDone&& done);
    Result<void> handle(JobDone&& done);
    Result<void> handle(JobFailed&& failed);
    Result<void> handle(JobLost&& lost);

    Active* find(std::uint64_t job);
    Result<void> give_up(std::uint64_t job, const Error& error);
    Result<void> end_try(std::uint64_t job, TryEnd end, const std::string& why);
    Result<void> close(Work& work, Judgement judgement, std::string detail);
    Result<void> record(Work& work, EndedRepeat ended, const BuildOutput* build);

    WorkerPool& pool_;
    Store& store_;
    const RunnerOptions& options_;
    const RunnerHooks& hooks_;
    std::optional<Hello> hello_;
    std::deque<Due> due_;    // beside others
    std::deque<Due> alone_;  // one after the other, with nothing beside
    std::map<std::uint64_t, Active> active_;
    std::uint64_t next_job_ = 1;
};

Result<bool> Runner::run(std::vector<Work>& works) {
    for (Work& work : works) due_.push_back({&work, Step::first});
    while (!due_.empty() || !alone_.empty() || !active_.empty()) {
        Result<void> started = start_due();
        if (!started) return tl::unexpected(std::move(started.error()));
        if (due_.empty() && alone_.empty() && active_.empty()) break;
        Result<std::vector<PoolEvent>> events = pool_.wait(options_.stop_fd, kTurn);
        if (!events) return tl::unexpected(std::move(events.error()));
        // Before the events: whoever stops us may have stopped the workers as well.
        if (is_readable(options_.stop_fd)) return false;
        for (PoolEvent& event : *events) {
            Result<void> handled =
                std::visit([&](auto&& e) { return handle(std::move(e)); }, std::move(event));
            if (!handled) return tl::unexpected(std::move(handled.error()));
        }
    }
    return true;
}

bool Runner::offered(Language language) const {
    return std::any_of(hello_->tools.begin(), hello_->tools.end(),
                       [&](const Hello::Tool& tool) { return tool.language == language; });
}

/// Gives out what can be given out now. Nothing new while a try waits to be alone.
Result<void> Runner::start_due() {
    while (alone_.empty() && !due_.empty() && pool_.can_take()) {
        const Due due = due_.front();
        due_.pop_front();
        const Language language = due.work->extraction.source->language;
        Result<void> done = offered(language)
                                ? start(due, false)
                                : close(*due.work, {Verdict::judge_error, Reason::host},
                                        fmt::format("{} is not offered here: {}", name(language),
                                                    fmt::join(hello_->missing, "; ")));
        if (!done) return done;
    }
    return alone_.empty() || !active_.empty() ? Result<void>() : start_alone();
}

Result<void> Runner::start_alone() {
    const Due due = alone_.front();
    const bool fresh = due.step != Step::third;  // it follows a guard on the same worker
    if (!fresh && !pool_.can_take()) return {};
    if (fresh && !pool_.idle()) return {};
    alone_.pop_front();
    return start(due, fresh);
}

Result<void> Runner::start(const Due& due, bool fresh) {
    const LoadedTask& task = *due.work->task;
    const Source& source = *due.work->extraction.source;
    Job job;
    job.id = next_job_++;
    job.language = source.language;
    job.limits = task.task.limits;
    job.cases = task.cases.inputs;
    if (is_guard(due.step)) {
        Result<std::string> good = known_good(task.task, source.language);
        if (!good)
            return close(*due.work, {Verdict::judge_error, Reason::host},
                         std::move(good.error().what));
        job.source = std::move(*good);
    } else {
        job.source = source.bytes;
        job.repeats = options_.repeats - static_cast<std::uint32_t>(due.work->repeats.size());
    }
    active_[job.id] = {
        due, std::make_unique<TryResult>(task.cases, task.task.visible_cases, job.repeats)};
    if (fresh) return pool_.give_fresh(job);
    pool_.give(job);
    return {};
}

Result<void> Runner::handle(Hello&& hello) {
    if (hello_ && hello.mode != hello_->mode)  // one batch, one kind of jail: the report names one
        return tl::unexpected(Error{
            Error::Code::cannot_judge,
            fmt::format("a worker has jails in mode {}, the first one had {}; name one by --mode",
                        hello.mode, hello_->mode)});
    if (hello_) return {};
    if (hello.tools.empty())
        return tl::unexpected(Error{Error::Code::cannot_judge,
                                    fmt::format("no language can be judged on this host: {}",
                                                fmt::join(hello.missing, "; "))});
    hello_ = std::move(hello);
    return hooks_.ready(*hello_);
}

Active* Runner::find(std::uint64_t job) {
    const auto found = active_.find(job);
    return found == active_.end() ? nullptr : &found->second;
}

/// A worker that does not keep to the order is as good as dead.
Result<void> Runner::give_up(std::uint64_t job, const Error& error) {
    Result<void> abandoned = pool_.abandon(job);
    return abandoned ? end_try(job, TryEnd::failed, error.what) : abandoned;
}

// A job that is not found was given up: what its worker had sent before still arrives.

Result<void> Runner::handle(Built&& built) {
    Active* active = find(built.job);
    if (!active) return {};
    Result<void> added = active->result->add(built);
    return added ? added : give_up(built.job, added.error());
}

Result<void> Runner::handle(CaseDone&& done) {
    Active* active = find(done.job);
    if (!active) return {};
    Result<std::optional<EndedRepeat>> ended = active->result->add(done);
    if (!ended) return give_up(done.job, ended.error());
    if (!*ended || is_guard(active->due.step)) return {};
    return record(*active->due.work, std::move(**ended), active->result->build());
}

Result<void> Runner::handle(JobDone&& done) {
    Active* active = find(done.job);
    if (!active) return {};
    Result<std::optional<EndedRepeat>> last = active->result->finish();
    if (!last) return end_try(done.job, TryEnd::failed, last.error().what);
    if (is_guard(active->due.step))
        return end_try(done.job, active->result->all_passed() ? TryEnd::done : TryEnd::failed,
                       "a known-good submission did not pass");
    Result<void> recorded;
    if (*last) recorded = record(*active->due.work, std::move(**last), active->result->build());
    return recorded ? end_try(done.job, TryEnd::done, {}) : recorded;
}

Result<void> Runner::handle(JobFailed&& failed) {
    return find(failed.job) ? end_try(failed.job, TryEnd::failed, failed.what) : Result<void>();
}

Result<void> Runner::handle(JobLost&& lost) {
    return find(lost.job) ? end_try(lost.job, TryEnd::failed, lost.why) : Result<void>();
}

Result<void> Runner::end_try(std::uint64_t job, TryEnd end, const std::string& why) {
    const Due due = active_.at(job).due;
    active_.erase(job);
    const NextStep next = after(due.step, end);
    switch (next.decision) {
        case Decision::run:
            if (runs_alone(next.step)) {
                // A sequence that has begun goes on before the next one.
                const bool begun = runs_alone(due.step);
                alone_.insert(begun ? alone_.begin() : alone_.end(), {due.work, next.step});
            } else {
                due_.push_front({due.work, next.step});
            }
            return {};
        case Decision::accept:
            hooks_.finished(*due.work);
            return {};
        case Decision::judge_error:
            return close(*due.work, {Verdict::judge_error, Reason::host}, why);
        case Decision::breaks_worker:
            return close(
                *due.work, {Verdict::security_violation, Reason::breaks_worker},
                "it failed three times; a known-good submission passed before and after the last");
    }
    return {};
}

/// Ends a submission without further cases.
Result<void> Runner::close(Work& work, Judgement judgement, std::string detail) {
    EndedRepeat ended;
    ended.repeat.judgement = judgement;
    ended.repeat.detail = std::move(detail);
    Result<void> recorded = record(work, std::move(ended), nullptr);
    if (recorded) hooks_.finished(work);
    return recorded;
}

Result<void> Runner::record(Work& work, EndedRepeat ended, const BuildOutput* build) {
    if (work.extraction.truncated) ended.repeat.flags |= Flag::truncated;
    Record made{work.key, static_cast<std::uint32_t>(work.repeats.size()),
                work.extraction.source->language, work.source_sha256, std::move(ended.repeat)};
    Result<void> appended =
        store_.append(encode_record(made, {work.extraction, build, std::move(ended.details)}));
    work.repeats.push_back(std::move(made.repeat));
    return appended;
}

}  // namespace

Result<bool> run_all(std::vector<Work>& works, WorkerPool& pool, Store& store,
                     const RunnerOptions& options, const RunnerHooks& hooks) {
    return Runner(pool, store, options, hooks).run(works);
}

}  // namespace grader

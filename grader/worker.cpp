// The worker's loop, from a job line to its messages.
// Knows no verdict and no language: rows and stages do.
// See worker.hpp.
#include "grader/worker.hpp"

#include "grader/build.hpp"
#include "grader/embedded.hpp"
#include "grader/languages.hpp"
#include "grader/line_channel.hpp"
#include "grader/lonely.hpp"
#include "grader/protocol.hpp"
#include "grader/run_case.hpp"
#include "grader/sandbox_error.hpp"
#include "grader/toolkit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace grader {

namespace {

/// After so many cases ended by a limit or a blocked call, the rest of a repeat is not run.
constexpr int kHardEndings = 3;

class Worker {
  public:
    Worker(sandbox::Supervisor supervisor, Host host, LineChannel& channel)
        : supervisor_(std::move(supervisor)), host_(std::move(host)), channel_(channel) {}

    /// Which languages work here, by building and running a submission of each.
    Result<Hello> prepare(const std::filesystem::path& cache, std::vector<std::string> missing);
    /// Runs one job and sends its messages. Errors: the worker cannot go on.
    Result<void> serve(const Job& job);

  private:
    Result<Hello::Tool> self_test(const LanguageRow& row, const std::filesystem::path& cache);
    Result<void> run_job(const Job& job);
    Result<void> run_repeat(const Job& job, const Program& program, std::uint32_t repeat);
    Result<CaseOutput> run_counted(const Job& job, const Program& program, const CaseInput& input);
    Result<CaseOutput> run_in_new_box(const Job& job, const Program& program,
                                      const CaseInput& input);
    Result<void> new_box(sandbox::Profile profile, const sandbox::Limits& limits);

    sandbox::Supervisor supervisor_;
    Host host_;
    LineChannel& channel_;
    Toolkit toolkit_;
    std::vector<Language> offered_;
    std::optional<sandbox::Jail> jail_;  // of the repeat that is running
    bool used_ = false;                  // something ran in it since it was new
};

Result<Hello::Tool> Worker::self_test(const LanguageRow& row, const std::filesystem::path& cache) {
    auto version = tool_version(supervisor_, row.language);
    if (!version) return tl::unexpected(std::move(version).error());
    if (row.compile) {
        auto folder = prepare_cpp(supervisor_, cache, *version);
        if (!folder) return tl::unexpected(std::move(folder).error());
        toolkit_.cpp_folder = std::move(*folder);
    }
    auto built = build(supervisor_, toolkit_, row.language, row.self_test);
    if (!built) return tl::unexpected(std::move(built).error());
    const auto failed = [](std::string_view step, std::string_view words) {
        return tl::unexpected(
            Error{Error::Code::cannot_judge,
                  fmt::format("the self-test {}: {}", step, words.substr(0, words.find('\n')))});
    };
    if (!built->program) return failed("does not compile", built->output.log);
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::seconds(5);
    limits.wall_time = std::chrono::seconds(21);
    auto ready = new_box(row.profile, limits);
    if (!ready) return tl::unexpected(std::move(ready).error());
    auto output =
        run_case(*jail_, toolkit_, *built->program, {std::string(kSelfTestCase), true}, limits);
    jail_.reset();
    if (!output) return tl::unexpected(std::move(output).error());
    const sandbox::Outcome& outcome = output->outcome;
    if (outcome.ending != sandbox::Ending::exited || outcome.exit_code != 0)
        return failed(fmt::format("ended with {} {}{}", sandbox::name(outcome.ending),
                                  outcome.exit_code + outcome.signal, outcome.blocked_call),
                      outcome.err);
    if (!self_test_passed(outcome.answer)) return failed("answered wrongly", outcome.answer);
    return Hello::Tool{row.language, std::move(*version)};
}

Result<Hello> Worker::prepare(const std::filesystem::path& cache,
                              std::vector<std::string> missing) {
    auto host_program = sandbox::Image::from_bytes(embedded::lua_host());
    if (!host_program) return tl::unexpected(from_sandbox(std::move(host_program).error()));
    toolkit_.lua_host = std::move(*host_program);
    Hello hello;
    hello.mode = sandbox::name(supervisor_.mode());
    const std::vector<std::string> without_view = missing;
    hello.missing = std::move(missing);
    for (const LanguageRow& row : language_rows()) {
        const bool no_view =
            std::any_of(without_view.begin(), without_view.end(), [&](const std::string& line) {
                return line.starts_with(fmt::format("{}: ", name(row.language)));
            });
        if (no_view) continue;
        auto tool = self_test(row, cache);
        if (tool) {
            offered_.push_back(row.language);
            hello.tools.push_back(std::move(*tool));
        } else {
            hello.missing.push_back(fmt::format("{}: {}", name(row.language), tool.error().what));
        }
    }
    return hello;
}

Result<void> Worker::new_box(sandbox::Profile profile, const sandbox::Limits& limits) {
    if (jail_ && !used_) return {};
    // A jail that cannot be emptied is ended whole and replaced.
    if (jail_ && jail_->reset()) {
        used_ = false;
        return {};
    }
    jail_.reset();
    auto jail = sandbox::Jail::create(supervisor_, profile, limits);
    if (!jail) return tl::unexpected(from_sandbox(std::move(jail).error()));
    jail_.emplace(std::move(*jail));
    used_ = false;
    return {};
}

Result<CaseOutput> Worker::run_in_new_box(const Job& job, const Program& program,
                                          const CaseInput& input) {
    auto ready = new_box(language_row(program.language).profile, job.limits);
    if (!ready) return tl::unexpected(std::move(ready).error());
    used_ = true;
    return run_case(*jail_, toolkit_, program, input, job.limits);
}

Result<CaseOutput> Worker::run_counted(const Job& job, const Program& program,
                                       const CaseInput& input) {
    {
        auto stay = host_.enter();
        if (!stay) return tl::unexpected(std::move(stay).error());
        auto output = run_in_new_box(job, program, input);
        if (!output || !needs_lonely_run(*output, job.limits)) return output;
    }
    auto stay = host_.enter_alone();
    if (!stay) return tl::unexpected(std::move(stay).error());
    auto output = run_in_new_box(job, program, input);
    if (output) output->ran_again = true;
    return output;
}

Result<void> Worker::run_repeat(const Job& job, const Program& program, std::uint32_t repeat) {
    jail_.reset();
    int hard_endings = 0;
    for (std::uint32_t index = 0; index < job.cases.size(); ++index) {
        if (channel_.closed())
            return tl::unexpected(Error{Error::Code::judge_error, "the coordinator is gone"});
        auto output = run_counted(job, program, job.cases[index]);
        if (!output) return tl::unexpected(std::move(output).error());
        if (ended_hard(*output)) ++hard_endings;
        auto sent = channel_.send(encode(CaseDone{job.id, repeat, index, std::move(*output)}));
        if (!sent) return sent;
        if (hard_endings == kHardEndings) break;
    }
    return {};
}

Result<void> Worker::run_job(const Job& job) {
    if (std::find(offered_.begin(), offered_.end(), job.language) == offered_.end())
        return tl::unexpected(Error{Error::Code::judge_error,
                                    fmt::format("{} is not offered here", name(job.language))});
    std::optional<Build> built;
    {
        auto stay = host_.enter();
        if (!stay) return tl::unexpected(std::move(stay).error());
        auto result = build(supervisor_, toolkit_, job.language, job.source);
        if (!result) return tl::unexpected(std::move(result).error());
        built = std::move(*result);
    }
    auto sent = channel_.send(encode(Built{job.id, std::move(built->output)}));
    if (!sent) return sent;
    for (std::uint32_t repeat = 0; built->program && repeat < job.repeats; ++repeat) {
        auto run = run_repeat(job, *built->program, repeat);
        if (!run) return run;
    }
    return channel_.send(encode(JobDone{job.id}));
}

Result<void> Worker::serve(const Job& job) {
    auto done = run_job(job);
    jail_.reset();
    if (done) return done;
    if (channel_.closed()) return done;
    // A worker whose helper makes no jails any more ends: it is replaced, and the job runs again.
    auto jail = sandbox::Jail::create(supervisor_, sandbox::Profile::native, job.limits);
    if (!jail || !jail->settle()) return tl::unexpected(std::move(done).error());
    return channel_.send(encode(JobFailed{job.id, done.error().what}));
}

}  // namespace

Result<void> run_worker(const WorkerOptions& options, int in_fd, int out_fd) {
    auto ready = prepare_cache(options.cache);
    if (!ready) return ready;
    auto host = Host::open(options.locks);
    if (!host) return tl::unexpected(std::move(host).error());
    std::vector<std::string> missing;
    sandbox::SupervisorOptions wanted{options.helper,
                                      toolkit_views(options.cache, options.helper, missing),
                                      options.mode, options.scratch};
    auto supervisor = sandbox::Supervisor::start(wanted);
    if (!supervisor) return tl::unexpected(from_sandbox(std::move(supervisor).error()));

    LineChannel channel(in_fd, out_fd);
    Worker worker(std::move(*supervisor), std::move(*host), channel);
    auto hello = worker.prepare(options.cache, std::move(missing));
    if (!hello) return tl::unexpected(std::move(hello).error());
    const bool none = hello->tools.empty();
    auto sent = channel.send(encode(WorkerMessage(std::move(*hello))));
    if (!sent) return sent;
    if (none)
        return tl::unexpected(
            Error{Error::Code::cannot_judge, "no language works in the jail here"});
    for (;;) {
        auto line = channel.receive();
        if (!line) return tl::unexpected(std::move(line).error());
        if (!*line) return {};
        auto job = decode_job(**line);
        if (!job) return tl::unexpected(std::move(job).error());
        auto served = worker.serve(*job);
        if (!served) return served;
    }
}

}  // namespace grader

// `perfjudge grade`: grades a batch of submissions and prints the table.
// Judges nothing itself: grader/grade.hpp does.
// Registered by main.cpp.
#include "tools/cmd_grade.hpp"

#include "grader/grade.hpp"
#include "sandbox/lend.hpp"
#include "tools/exit_code.hpp"
#include "tools/grade_setup.hpp"
#include "tools/log.hpp"
#include "tools/output.hpp"
#include "tools/stop_signal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <unistd.h>

namespace tools {

namespace {

struct Options {
    std::vector<std::string> submissions;
    std::string tasks, out, hidden_seed;
    unsigned jobs = 1;
    std::uint32_t repeats = 1;
    std::optional<std::uint64_t> samples;
    double je_budget_percent = 0;
    std::string mode = "auto";
    bool resume = false, show_hidden = false, json = false;
};

constexpr std::uint32_t kMostRepeats = 1000;

constexpr const char* kFooter = R"(
Examples:
  perfjudge grade replies.jsonl --tasks tasks --out results
  perfjudge grade m1.jsonl m2.jsonl.gz --tasks tasks --out results --jobs 8 --repeats 3 \
      --hidden-seed secret.seed
  perfjudge grade replies.jsonl --tasks tasks --out results --resume

SUBMISSIONS are JSON lines (also .gz, .zst) or folders model/task/sample.ext. OUT gets manifest.json,
results.jsonl (private: it has the hidden numbers), verdicts.jsonl and summary.json.

Exit codes: 0 finished; 2 bad usage or unusable input; 3 cannot judge on this host; 4 finished, but
over the JE budget or with input lines that were not graded; 130, 143 stopped by a signal.)";

std::string minutes_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// "12/54 done, 7 AC, 3.4/s, 0:12 left"
std::string progress_text(const grader::Progress& progress, double seconds) {
    std::string text =
        fmt::format("{}/{} done, {} AC", progress.done, progress.total, progress.accepted);
    const double rate = seconds > 0 ? static_cast<double>(progress.ran) / seconds : 0;
    if (rate > 0)
        text +=
            fmt::format(", {:.1f}/s, {} left", rate,
                        minutes_text(static_cast<double>(progress.total - progress.done) / rate));
    return text;
}

grader::Result<grader::GradeOptions> typed(const Options& options) {
    grader::GradeOptions typed = standard_grade_options(options.jobs);
    for (const std::string& path : options.submissions) typed.submissions.emplace_back(path);
    typed.tasks = options.tasks;
    typed.out = options.out;
    typed.repeats = options.repeats;
    typed.pool.args.insert(typed.pool.args.end(), {"--mode", options.mode});
    typed.samples = options.samples;
    typed.resume = options.resume;
    typed.show_hidden = options.show_hidden;
    if (!options.hidden_seed.empty()) {
        grader::Result<reference::Seed> seed = grader::read_seed(options.hidden_seed);
        if (!seed) return tl::unexpected(std::move(seed.error()));
        typed.hidden_seed = *seed;
    }
    return typed;
}

ExitCode code_of(const grader::Error& error) {
    switch (error.code) {
        case grader::Error::Code::bad_input:
            return ExitCode::unusable;
        case grader::Error::Code::cannot_judge:
        case grader::Error::Code::judge_error:
            return ExitCode::cannot_judge;
    }
    return ExitCode::cannot_judge;
}

ExitCode code_of(const grader::Summary& summary, double je_budget_percent) {
    const double je_percent = summary.submissions == 0
                                  ? 0
                                  : 100 * static_cast<double>(summary.judge_errors) /
                                        static_cast<double>(summary.submissions);
    if (je_percent > je_budget_percent) {
        log_warning(
            fmt::format("{} of {} submissions could not be judged (JE), more than "
                        "--je-budget {}; run again with --resume",
                        summary.judge_errors, summary.submissions, je_budget_percent));
        return ExitCode::finished_with;
    }
    const bool all_read = summary.facts.ungraded.empty() && summary.facts.problems.empty();
    return all_read ? ExitCode::finished : ExitCode::finished_with;
}

ExitCode stopped(const Options& options) {
    log_note(
        fmt::format("stopped; what is finished is kept. Go on with the same command and --resume "
                    "(--out {})",
                    options.out));
    return stop_signal() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

grader::Result<grader::GradeResult> run_with_progress(const grader::GradeOptions& options) {
    ProgressLine line;
    const auto start = std::chrono::steady_clock::now();
    return grader::grade(options, [&](const grader::Progress& progress) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        line.show(progress_text(progress, passed.count()));
    });
}

ExitCode run(const Options& options) {
    // Expected numbers live in this process: nobody may look into it.
    (void)::prctl(PR_SET_DUMPABLE, 0);
    grader::Result<grader::GradeOptions> grade_options = typed(options);
    if (!grade_options) {
        log_error(grade_options.error().what);
        return code_of(grade_options.error());
    }
    if (const std::string why = sandbox::lend_cgroup(); !why.empty()) log_note(why);
    grade_options->stop_fd = catch_stop_signals();
    const grader::Result<grader::GradeResult> result = run_with_progress(*grade_options);
    if (!result) {
        log_error(result.error().what);
        return code_of(result.error());
    }
    if (result->stopped) return stopped(options);
    if (options.mode == "auto" && result->summary.facts.mode == "portable")
        log_note(
            "no full jail on this host: graded in portable mode; `perfjudge jail -- /bin/true` "
            "says why, docs/threat-model.md what that cannot promise");
    const grader::ReportOptions report{wants_colour(STDOUT_FILENO), options.show_hidden};
    const std::string text = options.json ? grader::report_json(result->summary, report) + '\n'
                                          : grader::report_table(result->summary, report);
    if (!write_whole(stdout, text))
        log_warning("the table could not be written to standard output");
    return code_of(result->summary, options.je_budget_percent);
}

}  // namespace

void add_grade(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    options->jobs = processors();
    CLI::App* grade = app.add_subcommand("grade", "Grade a batch of submissions");
    grade->add_option("SUBMISSIONS", options->submissions, "Files or folders of submissions")
        ->required();
    grade->add_option("--tasks", options->tasks, "Folder of tasks")->required();
    grade->add_option("--out", options->out, "Folder of the results; new, or with --resume")
        ->required();
    grade->add_option("--jobs", options->jobs, "Workers at a time")
        ->check(CLI::Range(1U, kMostJobs))
        ->capture_default_str();
    grade->add_option("--repeats", options->repeats, "Runs of every submission's same code")
        ->check(CLI::Range(std::uint32_t{1}, kMostRepeats))
        ->capture_default_str();
    grade->add_option("--hidden-seed", options->hidden_seed,
                      "File of 64 hexadecimal digits that the hidden cases are made from");
    grade->add_flag("--resume", options->resume, "Go on with the results in --out; reruns JE");
    grade->add_option(
        "--samples", options->samples,
        "Replies that each model should have for each task; absent ones count as failed");
    grade
        ->add_option("--je-budget", options->je_budget_percent,
                     "Percent of JE above which the exit code is 4")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    grade->add_option("--mode", options->mode, "Jails: the best that this host offers (auto)")
        ->check(CLI::IsMember({"auto", "full", "portable"}))
        ->capture_default_str();
    grade->add_flag("--show-hidden", options->show_hidden,
                    "Print expected and actual numbers of hidden cases as well");
    grade->add_flag("--json", options->json, "Print the summary as JSON");
    grade->footer(kFooter);
    grade->callback([options, &exit_code] { exit_code = number(run(*options)); });
}

}  // namespace tools

// `perfjudge selftest`: the options, the run, the table.
// Compares nothing itself: selftest_run.cpp does.
// See cmd_selftest.hpp.
#include "tools/cmd_selftest.hpp"

#include "grader/json.hpp"
#include "sandbox/lend.hpp"
#include "tools/exit_code.hpp"
#include "tools/grade_setup.hpp"
#include "tools/log.hpp"
#include "tools/output.hpp"
#include "tools/own_path.hpp"
#include "tools/selftest_run.hpp"
#include "tools/stop_signal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <sys/prctl.h>
#include <unistd.h>

namespace tools {

namespace {

struct Options {
    std::string corpus, tasks, only;
    unsigned jobs = 1;
    bool json = false;
};

constexpr const char* kFooter = R"(
Examples:
  perfjudge selftest                        every attack that came with perfjudge; some minutes
  perfjudge selftest --only SV/             those that try forbidden system calls
  perfjudge selftest --json > attacks.json  one object; docs/doctor.md lists its fields

Each attack is graded like a submission, in jails, on a task with small limits. CORPUS has folders
AC, WA, ... by expected verdict; the head of each file says what it tries. In the end nothing may be
left: no process, no mount, no control group, nothing read from or written to a file outside.

Exit codes: 0 all as expected; 1 a difference; 2 bad usage; 3 cannot judge on this host (perfjudge
doctor says why); 130, 143 stopped by a signal.)";

std::string_view colour(bool good) {
    return good ? "\x1b[32m" : "\x1b[31m";
}

std::string state_text(bool good, bool coloured) {
    const std::string word = good ? "ok  " : "DIFF";
    return coloured ? fmt::format("{}{}\x1b[0m", colour(good), word) : word;
}

std::string got_text(const AttackResult& attack) {
    if (attack.got.empty()) return "-";
    return attack.reason.empty() ? attack.got : attack.got + " " + attack.reason;
}

std::string table(const SelftestResult& result, bool coloured) {
    std::size_t name = 0, got = 3;
    for (const AttackResult& attack : result.attacks) {
        name = std::max(name, attack.name.size());
        got = std::max(got, got_text(attack).size());
    }
    std::string text = fmt::format("      {:<{}}  {:<8}  {:<{}}  {}\n", "attack", name, "expected",
                                   "got", got, "what it tries");
    for (const AttackResult& attack : result.attacks) {
        text += fmt::format("{}  {:<{}}  {:<8}  {:<{}}  {}\n",
                            state_text(attack.problems.empty(), coloured), attack.name, name,
                            attack.expected, got_text(attack), got, attack.tries);
        for (const std::string& problem : attack.problems)
            text += fmt::format("      {:<{}}  -> {}\n", "", name, problem);
    }
    for (const AfterCheck& check : result.after) {
        text += fmt::format("{}  {}\n", state_text(check.problem.empty(), coloured), check.what);
        if (!check.problem.empty()) text += fmt::format("      -> {}\n", check.problem);
    }
    const std::size_t all = result.attacks.size() + result.after.size();
    return text + fmt::format("\nmode {}: {} attacks and {} checks, {} as expected, {} different\n",
                              result.mode, result.attacks.size(), result.after.size(),
                              all - result.differences(), result.differences());
}

std::string json_text(const SelftestResult& result) {
    using grader::Json;
    Json attacks = Json::array(), after = Json::array();
    for (const AttackResult& attack : result.attacks) {
        Json problems = Json::array();
        for (const std::string& problem : attack.problems) problems.push(problem);
        attacks.push(Json::object({{"attack", attack.name},
                                   {"tries", attack.tries},
                                   {"expected", attack.expected},
                                   {"got", attack.got},
                                   {"reason", attack.reason},
                                   {"problems", std::move(problems)}}));
    }
    for (const AfterCheck& check : result.after)
        after.push(Json::object({{"check", check.what}, {"problem", check.problem}}));
    return grader::dump(Json::object({{"mode", result.mode},
                                      {"differences", result.differences()},
                                      {"attacks", std::move(attacks)},
                                      {"after", std::move(after)}})) +
           "\n";
}

SelftestOptions typed(const Options& options) {
    SelftestOptions typed;
    typed.corpus = options.corpus.empty() ? corpus_folder() : std::filesystem::path(options.corpus);
    typed.tasks = options.tasks.empty() ? tasks_folder() : std::filesystem::path(options.tasks);
    const char* temporary = std::getenv("TMPDIR");
    typed.temporary = temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
    typed.only = options.only;
    typed.jobs = options.jobs;
    return typed;
}

grader::Result<SelftestResult> run_with_progress(const SelftestOptions& options) {
    ProgressLine line;
    line.show("preparing the languages");
    return run_selftest(options, [&](const grader::Progress& progress) {
        line.show(fmt::format("{}/{} attacks", progress.done, progress.total));
    });
}

ExitCode run(const Options& options) {
    // Expected numbers live in this process: nobody may look into it.
    (void)::prctl(PR_SET_DUMPABLE, 0);
    if (const std::string why = sandbox::lend_cgroup(); !why.empty()) log_note(why);
    SelftestOptions typed_options = typed(options);
    typed_options.stop_fd = catch_stop_signals();
    const auto result = run_with_progress(typed_options);
    if (!result) {
        log_error(result.error().what);
        if (result.error().code == grader::Error::Code::bad_input) return ExitCode::unusable;
        log_note("perfjudge doctor says what this host lacks");
        return ExitCode::cannot_judge;
    }
    if (result->stopped)
        return stop_signal() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    const std::string text =
        options.json ? json_text(*result) : table(*result, wants_colour(STDOUT_FILENO));
    if (!write_whole(stdout, text))
        log_warning("the table could not be written to standard output");
    return result->differences() == 0 ? ExitCode::finished : ExitCode::not_accepted;
}

}  // namespace

void add_selftest(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    options->jobs = processors();
    CLI::App* selftest = app.add_subcommand(
        "selftest", "Attack this installation, and see that every attack comes to nothing");
    selftest->add_option("--corpus", options->corpus,
                         "Folder of attacks (if not given: those that came with perfjudge)");
    selftest->add_option("--tasks", options->tasks,
                         "Folder of tasks (if not given: those that came with perfjudge)");
    selftest->add_option("--only", options->only, "Attacks whose VERDICT/FILE contains this text");
    selftest->add_option("--jobs", options->jobs, "Workers at a time")
        ->check(CLI::Range(1U, kMostJobs))
        ->capture_default_str();
    selftest->add_flag("--json", options->json, "One JSON object instead of a table");
    selftest->footer(kFooter);
    selftest->callback([options, &exit_code] { exit_code = number(run(*options)); });
}

}  // namespace tools

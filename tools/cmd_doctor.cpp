// `perfjudge doctor`: the options, the diagnosis, the table.
// Diagnoses nothing itself: doctor_run.cpp and sandbox/doctor do.
// See cmd_doctor.hpp.
#include "tools/cmd_doctor.hpp"

#include "tools/cache_folder.hpp"
#include "tools/doctor_report.hpp"
#include "tools/doctor_run.hpp"
#include "tools/exit_code.hpp"
#include "tools/log.hpp"
#include "tools/output.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace tools {

namespace {

struct Options {
    bool json = false;
    std::string cache;
};

constexpr const char* kFooter = R"(
Examples:
  perfjudge doctor                                      a table: what works, what it means, remedies
  systemd-run --user --scope -p Delegate=yes perfjudge doctor
                                                        the same in a group of its own
  perfjudge doctor --json > host.json                   one object; docs/doctor.md lists its fields

Every line is tried, not guessed: in a child that goes away, or by the real helper and a real worker.
The first run compiles the C++ entry code into the cache folder, which takes some seconds.

Exit codes: 0 this host can grade; 2 bad usage; 3 grading would be unsafe or impossible here.)";

ExitCode run(const Options& options) {
    ::umask(022);  // the cache folder is shown to jails
    (void)std::signal(SIGPIPE, SIG_IGN);
    Diagnosis diagnosis;
    {
        ProgressLine line;
        line.show("trying this host; the first time takes some seconds");
        diagnosis = diagnose(options.cache.empty() ? default_cache()
                                                   : std::filesystem::path(options.cache));
    }
    const std::string text = options.json ? doctor_json(diagnosis) + '\n'
                                          : doctor_table(diagnosis, wants_colour(STDOUT_FILENO));
    if (!write_whole(stdout, text))
        log_warning("the report could not be written to standard output");
    return diagnosis.can_grade() ? ExitCode::finished : ExitCode::cannot_judge;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* doctor =
        app.add_subcommand("doctor", "Can this host grade? What is missing, and how to get it");
    doctor->add_flag("--json", options->json, "One JSON object instead of a table");
    doctor->add_option("--cache", options->cache,
                       "Folder for compiled entry code (if not given: the one that grade uses)");
    doctor->footer(kFooter);
    doctor->callback([options, &exit_code] { exit_code = number(run(*options)); });
}

}  // namespace tools

// `perfjudge worker`: serves jobs on standard input and output; started by `perfjudge grade`.
// Does not judge. Holds no expected number: no header that names one is included here.
// Added to the command line by main.cpp.
#include "tools/cmd_worker.hpp"

#include "grader/worker.hpp"
#include "tools/cache_folder.hpp"
#include "tools/exit_code.hpp"
#include "tools/jail_mode.hpp"
#include "tools/log.hpp"
#include "tools/own_path.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tools {

namespace {

int run(const grader::WorkerOptions& options) {
    // Whatever becomes of the coordinator, nothing of a worker outlives it: the helper ends with
    // us.
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)::prctl(PR_SET_DUMPABLE, 0);
    ::umask(022);
    const auto served = grader::run_worker(options, STDIN_FILENO, STDOUT_FILENO);
    if (served) return number(ExitCode::finished);
    log_error("worker: " + served.error().what);
    const bool bad_input = served.error().code == grader::Error::Code::bad_input;
    return number(bad_input ? ExitCode::unusable : ExitCode::cannot_judge);
}

}  // namespace

void add_worker(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<grader::WorkerOptions>();
    auto* command =
        app.add_subcommand("worker", "Serve jobs on standard input and output (grade starts it)");
    command->add_option("--helper", options->helper, "perfjudge-jail");
    command->add_option("--cache", options->cache, "folder for compiled entry code");
    command->add_option("--locks", options->locks,
                        "folder of the host-wide lock (the cache folder, if not given)");
    auto mode = std::make_shared<std::string>("auto");
    command->add_option("--mode", *mode, "auto, full or portable")
        ->check(CLI::IsMember({"auto", "full", "portable"}));
    command->callback([options, mode, &exit_code] {
        options->mode = mode_named(*mode);
        options->scratch = scratch_folder();
        if (options->helper.empty()) options->helper = helper_program();
        if (options->cache.empty()) options->cache = default_cache();
        if (options->locks.empty()) options->locks = options->cache;
        exit_code = run(*options);
    });
}

}  // namespace tools

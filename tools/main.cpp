// The program: reads the command line and calls one subcommand.
// Does nothing else; every subcommand is a file of its own.
// Started by people, and by itself as `perfjudge worker`.
#include "tools/cmd_bound.hpp"
#include "tools/cmd_doctor.hpp"
#include "tools/cmd_grade.hpp"
#include "tools/cmd_jail.hpp"
#include "tools/cmd_model.hpp"
#include "tools/cmd_selftest.hpp"
#include "tools/cmd_task.hpp"
#include "tools/cmd_worker.hpp"
#include "tools/exit_code.hpp"
#include "tools/log.hpp"
#include "tools/version.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <string>

int main(int argc, char** argv) {
    (void)std::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it, and we wait
    CLI::App app("perfjudge grades performance-model code in a jail", "perfjudge");
    app.set_version_flag("--version", "perfjudge " + std::string(tools::version()));
    app.require_subcommand(1);
    int exit_code = 0;
    tools::add_grade(app, exit_code);
    tools::add_task(app, exit_code);
    tools::add_model(app, exit_code);
    tools::add_bound(app, exit_code);
    tools::add_jail(app, exit_code);
    tools::add_doctor(app, exit_code);
    tools::add_selftest(app, exit_code);
    tools::add_worker(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
        tools::log_error(error.what());
        return tools::number(tools::ExitCode::unusable);
    }
    return exit_code;
}

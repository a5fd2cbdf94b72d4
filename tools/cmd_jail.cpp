// `perfjudge jail`: the options, the run, the report.
// Confines nothing itself: sandbox/ does.
// See cmd_jail.hpp.
#include "tools/cmd_jail.hpp"

#include "grader/json.hpp"
#include "sandbox/jail.hpp"
#include "sandbox/lend.hpp"
#include "tools/exit_code.hpp"
#include "tools/jail_mode.hpp"
#include "tools/log.hpp"
#include "tools/output.hpp"
#include "tools/own_path.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tools {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::uint64_t cpu_ms = 1000, wall_ms = 0, memory_mib = 256, output_bytes = 1U << 20U,
                  files_mib = 16;
    std::uint32_t processes = 16, inodes = 256;
    std::string profile = "native", mode = "auto";
    std::string report, standard_in, standard_out, standard_err;
    std::vector<std::string> files;  // NAME=PATH
    std::vector<std::string> environment;
    std::vector<std::string> command;  // PROGRAM ARGS
    bool explain = false;
};

constexpr sandbox::Profile kProfiles[] = {sandbox::Profile::native, sandbox::Profile::compile,
                                          sandbox::Profile::lua, sandbox::Profile::python,
                                          sandbox::Profile::shell};

sandbox::Profile profile_named(const std::string& name) {
    for (const sandbox::Profile profile : kProfiles) {
        if (sandbox::name(profile) == name) return profile;
    }
    return sandbox::Profile::native;
}

sandbox::Limits limits_of(const Options& options) {
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(options.cpu_ms);
    // A wall limit always exists: a sleeping program uses no CPU.
    limits.wall_time = std::chrono::milliseconds(options.wall_ms != 0 ? options.wall_ms
                                                                      : 4 * options.cpu_ms + 1000);
    limits.memory_bytes = options.memory_mib << 20U;
    limits.output_bytes = options.output_bytes;
    limits.file_bytes = options.files_mib << 20U;
    limits.processes = options.processes;
    limits.inodes = options.inodes;
    return limits;
}

std::optional<std::string> read_whole(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
}

/// Where the program lies inside, and what is shown of the host for it.
struct Placed {
    sandbox::View view;
    std::string path;
};

sandbox::Result<Placed> place(const Options& options) {
    const sandbox::Profile profile = profile_named(options.profile);
    auto view = sandbox::standard_view(profile);
    if (!view) return tl::unexpected(std::move(view).error());
    for (const sandbox::ViewEntry& entry :
         view->entries) {  // a tool of the profile, by its own path
        if (entry.target == options.command.front())
            return Placed{std::move(*view), options.command.front()};
    }
    auto own = sandbox::program_view(options.command.front(), profile);
    if (!own) return tl::unexpected(std::move(own).error());
    for (const sandbox::ViewEntry& entry : own->entries) {
        if (entry.target.starts_with("/program/")) return Placed{std::move(*own), entry.target};
    }
    return tl::unexpected(
        sandbox::Error{sandbox::Error::Code::bad_request, 0, "no program to run"});
}

void explain(const Placed& placed, const sandbox::Limits& limits) {
    fmt::print("program {}\nprofile {}\n", placed.path, sandbox::name(placed.view.profile));
    fmt::print(
        "limits cpu {} ms, wall {} ms, memory {} B, output {} B, files {} B, inodes {}, processes "
        "{}, open files {}\n",
        limits.cpu_time.count(), limits.wall_time.count(), limits.memory_bytes, limits.output_bytes,
        limits.file_bytes, limits.inodes, limits.processes, limits.open_files);
    fmt::print(
        "writable /box (private, empty); in portable mode nothing, for the profiles compile and "
        "shell "
        "a private folder\n");
    for (const sandbox::ViewEntry& entry : placed.view.entries)
        fmt::print("{} {} {}\n",
                   entry.kind == sandbox::ViewEntry::Kind::bind ? "read-only" : "link",
                   entry.target, entry.source);
}

grader::Json hits_of(const sandbox::LimitsHit& hit) {
    grader::Json list = grader::Json::array();
    const std::pair<const char*, bool> rows[] = {{"processes", hit.processes},
                                                 {"disk", hit.disk},
                                                 {"inodes", hit.inodes},
                                                 {"file_size", hit.file_size},
                                                 {"memory", hit.memory}};
    for (const auto& [name, was_hit] : rows) {
        if (was_hit) list.push(name);
    }
    return list;
}

grader::Json report_of(const sandbox::Outcome& o, sandbox::Mode mode) {
    const auto word = [](sandbox::Limiter limiter) { return std::string(sandbox::name(limiter)); };
    const sandbox::LimitsInForce& f = o.limits_in_force;
    const bool exited = o.ending == sandbox::Ending::exited;
    const bool signaled = o.ending == sandbox::Ending::signaled;
    grader::Json report = grader::Json::object();
    report.set("mode", sandbox::name(mode));
    report.set("ending", sandbox::name(o.ending));
    report.set("exit_code", exited ? grader::Json(o.exit_code) : grader::Json());
    report.set("signal", signaled ? grader::Json(o.signal) : grader::Json());
    report.set("blocked_call",
               o.blocked_call.empty() ? grader::Json() : grader::Json(o.blocked_call));
    report.set("landlock_abi", o.landlock_abi);
    report.set("blocked_call_kind", o.calls_named ? "held" : "killed");
    report.set("leftover_processes", o.leftover_processes);
    report.set("cpu_ms", static_cast<double>(o.usage.cpu_us) / 1000);
    report.set("wall_ms", static_cast<double>(o.usage.wall_us) / 1000);
    report.set("peak_memory_bytes", o.usage.peak_memory_bytes);
    report.set("peak_memory_kind", "sampled");
    report.set("processes_peak", o.usage.processes_peak);
    report.set("output_bytes", o.usage.output_bytes);
    report.set("limits_hit", hits_of(o.limits_hit));
    report.set("limits_in_force", grader::Json::object({{"cpu", word(f.cpu)},
                                                        {"wall", word(f.wall)},
                                                        {"memory", word(f.memory)},
                                                        {"processes", word(f.processes)},
                                                        {"output", word(f.output)},
                                                        {"files", word(f.files)}}));
    return report;
}

int fail(const sandbox::Error& error) {
    log_error(error.what);
    return number(error.code == sandbox::Error::Code::bad_request ? ExitCode::unusable
                                                                  : ExitCode::cannot_judge);
}

int fail(const std::string& what) {
    log_error(what);
    return number(ExitCode::unusable);
}

/// Puts the files of --file into /box. An error text, or nothing.
std::optional<std::string> put_files(sandbox::Jail& jail, const Options& options) {
    for (const std::string& file : options.files) {
        const std::size_t equals = file.find('=');
        if (equals == std::string::npos) return "--file " + file + ": write NAME=PATH";
        const auto bytes = read_whole(file.substr(equals + 1));
        if (!bytes) return "--file " + file + ": cannot read " + file.substr(equals + 1);
        if (auto put = jail.put_file(file.substr(0, equals), *bytes); !put) return put.error().what;
    }
    return std::nullopt;
}

/// Output goes where it was asked for, else to our own streams.
bool hand_on(const std::string& path, const std::string& bytes, std::FILE* stream) {
    return path.empty() ? write_whole(stream, bytes)
                        : write_whole(std::filesystem::path(path), bytes);
}

int run(const Options& options) {
    auto placed = place(options);
    if (!placed) return fail(placed.error());
    const sandbox::Limits limits = limits_of(options);
    if (auto checked = sandbox::check(limits); !checked) return fail(checked.error());
    if (options.explain) {
        explain(*placed, limits);
        return number(ExitCode::finished);
    }
    std::optional<std::string> input = std::string();
    if (!options.standard_in.empty()) input = read_whole(options.standard_in);
    if (!input) return fail("--stdin: cannot read " + options.standard_in);
    (void)sandbox::lend_cgroup();  // limits_in_force says what came of it
    auto supervisor = sandbox::Supervisor::start(
        {helper_program(), {placed->view}, mode_named(options.mode), scratch_folder()});
    if (!supervisor) return fail(supervisor.error());
    if (!supervisor->why_not_full().empty())
        log_note("portable mode, as there is no full one here: " + supervisor->why_not_full());
    auto jail = sandbox::Jail::create(*supervisor, placed->view.profile, limits);
    if (!jail) return fail(jail.error());
    if (auto problem = put_files(*jail, options)) return fail(*problem);
    auto outcome =
        jail->run({nullptr, placed->path, options.command, options.environment, *input}, limits);
    if (!outcome) return fail(outcome.error());
    const std::string report = grader::dump(report_of(*outcome, supervisor->mode())) + "\n";
    const bool written =
        hand_on(options.standard_out, outcome->out, options.report.empty() ? stderr : stdout) &&
        hand_on(options.standard_err, outcome->err, stderr) &&
        hand_on(options.report, report, stdout);
    if (!written) return fail("cannot write the output or the report");
    return number(ExitCode::finished);
}

}  // namespace

void add_jail(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("jail", "Run one program in a jail and report how it ended (JSON)");
    command
        ->add_option("--cpu-ms", options->cpu_ms,
                     "Milliseconds of CPU of all its processes together")
        ->capture_default_str();
    command->add_option("--wall-ms", options->wall_ms,
                        "Milliseconds of wall time (if not given: 4 x CPU + 1000)");
    command->add_option("--memory-mib", options->memory_mib, "Anonymous and shared memory together")
        ->capture_default_str();
    command
        ->add_option("--output-bytes", options->output_bytes,
                     "Standard output, error and answer together")
        ->capture_default_str();
    command->add_option("--processes", options->processes, "Processes and threads at one time")
        ->capture_default_str();
    command->add_option("--files-mib", options->files_mib, "Size of the private folder /box")
        ->capture_default_str();
    command->add_option("--inodes", options->inodes, "Files and folders in /box")
        ->capture_default_str();
    command->add_option("--stdin", options->standard_in,
                        "File that the program reads (if not given: nothing)");
    command->add_option("--stdout", options->standard_out, "File for its standard output");
    command->add_option("--stderr", options->standard_err, "File for its standard error");
    command->add_option(
        "--report", options->report,
        "File for the report (if not given: stdout, and the program's output on stderr)");
    command
        ->add_option("--file", options->files,
                     "NAME=PATH: a file to put into /box; may be repeated")
        ->allow_extra_args(false);
    command
        ->add_option("--env", options->environment,
                     "NAME=VALUE; nothing is inherited; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--profile", options->profile, "System calls and view")
        ->check(CLI::IsMember({"native", "compile", "lua", "python", "shell"}))
        ->capture_default_str();
    command->add_option("--mode", options->mode, "The best that this host offers (auto)")
        ->check(CLI::IsMember({"auto", "full", "portable"}))
        ->capture_default_str();
    command->add_flag("--explain", options->explain,
                      "Print what would be confined how, and run nothing");
    command->add_option("command", options->command, "PROGRAM ARGS, after --")->required();
    command->footer(
        "Example: perfjudge jail --cpu-ms 500 --stdin in.txt --stdout out.txt -- ./prog --fast\n"
        "Exit code 0: the report was written, whatever the ending. 2: bad usage. 3: no jail here.");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace tools

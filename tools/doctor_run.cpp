// One jailed run, one worker that says hello, one run of each tool.
// Everything goes the way that grading goes; nothing is guessed from versions.
// See doctor_run.hpp.
#include "tools/doctor_run.hpp"

#include "grader/languages.hpp"
#include "grader/protocol.hpp"
#include "grader/worker.hpp"
#include "sandbox/doctor/examine.hpp"
#include "sandbox/jail.hpp"
#include "sandbox/kernel_file.hpp"
#include "sandbox/lend.hpp"
#include "sandbox/unique_fd.hpp"
#include "tools/doctor_room.hpp"
#include "tools/own_path.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tools {

namespace {

using sandbox::doctor::Finding;
using sandbox::doctor::State;

/// Runs a tool in a jail of its own, and gives the first line that it prints.
sandbox::Result<sandbox::Outcome> run_jailed(const sandbox::View& view, std::string path,
                                             std::vector<std::string> argv, std::string* mode) {
    auto supervisor = sandbox::Supervisor::start({helper_program(), {view}});
    if (!supervisor) return tl::unexpected(std::move(supervisor).error());
    if (mode != nullptr) *mode = sandbox::name(supervisor->mode());
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::seconds(5);
    limits.wall_time = std::chrono::seconds(21);
    auto jail = sandbox::Jail::create(*supervisor, view.profile, limits);
    if (!jail) return tl::unexpected(std::move(jail).error());
    sandbox::Command command;
    command.path = std::move(path);
    command.argv = std::move(argv);
    command.env = {"PATH=/usr/bin", "LC_ALL=C"};
    return jail->run(command, limits);
}

bool ended_well(const sandbox::Outcome& outcome) {
    return outcome.ending == sandbox::Ending::exited && outcome.exit_code == 0;
}

std::string ending_text(const sandbox::Outcome& outcome) {
    return "ended with " + std::string(sandbox::name(outcome.ending)) + " " +
           std::to_string(outcome.exit_code + outcome.signal) + outcome.blocked_call;
}

/// The mode that the real helper gives, and the limiters of a run in it.
void try_mode(Diagnosis& diagnosis) {
    const auto view = sandbox::program_view("/bin/true", sandbox::Profile::native);
    if (!view) {
        diagnosis.mode_error = view.error().what;
        return;
    }
    std::string mode;
    const auto ran = run_jailed(*view, "/program/true", {"true"}, &mode);
    if (!ran)
        diagnosis.mode_error = ran.error().what;
    else if (!ended_well(*ran))
        diagnosis.mode_error = "a jailed /bin/true " + ending_text(*ran);
    else
        diagnosis.mode = mode, diagnosis.limits = ran->limits_in_force;
}

struct Meaning {
    sandbox::Limiter limiter;
    State state;
    const char* text;
    const char* remedy;
};

constexpr const char* kGroups = "see the remedies of the control groups";
constexpr const char* kFiles = "full mode has a private file system: see the mounts";
constexpr Meaning kMeanings[] = {
    {sandbox::Limiter::none, State::missing, "nobody enforces it", kGroups},
    {sandbox::Limiter::cgroup, State::ok, "the kernel enforces it over the whole case", ""},
    {sandbox::Limiter::rlimit, State::limited, "the kernel enforces it a user or a process",
     kGroups},
    {sandbox::Limiter::sampled, State::limited,
     "measured every 10 ms: it can be exceeded for so long", kGroups},
    {sandbox::Limiter::keeper, State::ok, "the helper enforces it outside the jail", ""},
    {sandbox::Limiter::mount, State::ok, "the size of the private file system enforces it", ""},
};

void explain_limits(Diagnosis& diagnosis) {
    if (!diagnosis.limits) return;
    for (const auto& [limit, limiter] : limiters(*diagnosis.limits)) {
        for (const Meaning& meaning : kMeanings) {
            if (meaning.limiter != limiter) continue;
            const bool of_files = std::string_view(limit) == "files" && meaning.state != State::ok;
            diagnosis.findings.push_back({"limits of a run", limit, meaning.state,
                                          std::string(sandbox::name(limiter)), meaning.text,
                                          of_files ? kFiles : meaning.remedy});
        }
    }
}

struct ToolRow {
    const char* name;
    sandbox::Profile profile;
    const char* path;
    const char* meaning;
    const char* remedy;
};

constexpr ToolRow kTools[] = {
    {"g++", sandbox::Profile::compile, "/usr/bin/g++", "C++ submissions are compiled",
     "apt-get install g++"},
    {"binutils", sandbox::Profile::compile, "/usr/bin/ld", "C++ submissions are linked",
     "apt-get install binutils"},
    {"python3", sandbox::Profile::python, "/usr/bin/python3", "Python submissions are run",
     "apt-get install python3"},
};

Finding check_tool(const ToolRow& row, bool has_jail) {
    Finding finding{"toolchains", row.name, State::missing, "", row.meaning, row.remedy};
    const auto view = sandbox::standard_view(row.profile);
    if (!view) {
        finding.found = view.error().what;
        return finding;
    }
    if (!has_jail) {
        finding.found = std::string(row.path) + " is there, but there is no jail to start it in";
        finding.remedy = "see the mode";
        return finding;
    }
    const auto ran = run_jailed(*view, row.path, {row.path, "--version"}, nullptr);
    if (!ran)
        finding.found = ran.error().what;
    else if (!ended_well(*ran))
        finding.found = std::string(row.path) + " " + ending_text(*ran) + " in the jail";
    else
        return {"toolchains", row.name, State::ok, ran->out.substr(0, ran->out.find('\n')),
                row.meaning,  ""};
    return finding;
}

/// What a worker says at its start. It finds no job, and ends.
grader::Result<grader::Hello> ask_worker(const std::filesystem::path& cache) {
    const sandbox::UniqueFd jobs(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const sandbox::UniqueFd said(::memfd_create("hello", MFD_CLOEXEC));
    const auto served =
        grader::run_worker({helper_program(), cache, cache}, jobs.get(), said.get());
    const std::string text = sandbox::text_of("/proc/self/fd/" + std::to_string(said.get()));
    if (text.empty() && !served) return tl::unexpected(served.error());
    auto message = grader::decode_message(text.substr(0, text.find('\n')));
    if (!message) return tl::unexpected(std::move(message).error());
    auto* hello = std::get_if<grader::Hello>(&*message);
    if (hello == nullptr)
        return tl::unexpected(
            grader::Error{grader::Error::Code::judge_error, "a worker did not say hello"});
    return std::move(*hello);
}

void try_languages(Diagnosis& diagnosis, const std::filesystem::path& cache) {
    grader::Result<grader::Hello> hello = tl::unexpected(
        grader::Error{grader::Error::Code::cannot_judge, "not tried: there is no jail here"});
    if (!diagnosis.mode.empty()) hello = ask_worker(cache);
    for (const grader::LanguageRow& row : grader::language_rows()) {
        LanguageCheck check{std::string(grader::name(row.language)), false, ""};
        if (!hello) {
            check.words = hello.error().what;
            diagnosis.languages.push_back(std::move(check));
            continue;
        }
        for (const grader::Hello::Tool& tool : hello->tools) {
            if (tool.language != row.language) continue;
            check.works = true;
            check.words = tool.version;
        }
        for (const std::string& line : hello->missing) {
            if (line.starts_with(check.language + ": "))
                check.words = line.substr(check.language.size() + 2);
        }
        diagnosis.languages.push_back(std::move(check));
    }
}

void explain_languages(Diagnosis& diagnosis) {
    for (const LanguageCheck& check : diagnosis.languages) {
        if (check.works)
            diagnosis.findings.push_back({"languages", check.language, State::ok, check.words,
                                          "its self-test passed in the jail", ""});
        else
            diagnosis.findings.push_back({"languages", check.language, State::missing, check.words,
                                          "its submissions cannot be judged here (JE)",
                                          diagnosis.mode.empty()
                                              ? "see the mode"
                                              : "see the toolchains and the cache folder"});
    }
}

}  // namespace

bool Diagnosis::can_grade() const {
    return !mode.empty() && std::any_of(languages.begin(), languages.end(),
                                        [](const LanguageCheck& check) { return check.works; });
}

std::vector<std::pair<const char*, sandbox::Limiter>> limiters(
    const sandbox::LimitsInForce& limits) {
    return {{"cpu", limits.cpu},       {"wall", limits.wall},
            {"memory", limits.memory}, {"processes", limits.processes},
            {"output", limits.output}, {"files", limits.files}};
}

Diagnosis diagnose(const std::filesystem::path& cache) {
    Diagnosis diagnosis;
    const std::string group_note = sandbox::lend_cgroup();  // as every grading does
    diagnosis.findings = sandbox::doctor::examine_host(group_note);
    try_mode(diagnosis);
    explain_limits(diagnosis);
    for (const ToolRow& row : kTools)
        diagnosis.findings.push_back(check_tool(row, !diagnosis.mode.empty()));
    try_languages(diagnosis, cache);
    explain_languages(diagnosis);
    for (Finding& finding : check_room(cache)) diagnosis.findings.push_back(std::move(finding));
    return diagnosis;
}

}  // namespace tools

// Compiles entry code and header in the jail, and keeps the result in a folder that later jails
// see: the precompiled header has 35 MiB, and copying it into every box would cost more than it
// saves. Runs no submission. See toolkit.hpp.
#include "grader/toolkit.hpp"

#include "grader/embedded.hpp"
#include "grader/languages.hpp"
#include "grader/sandbox_error.hpp"
#include "grader/sha256.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace grader {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "perfmodel.hpp";
constexpr std::string_view kPrecompiled = "perfmodel.hpp.gch";
constexpr std::string_view kEntryObject = "entry.o";
constexpr std::string_view kObjcopy = "/usr/bin/objcopy";
constexpr std::string_view kZygoteLibrary = "perfjudge-zygote.so";
constexpr std::string_view kZygoteInJail = "/perfjudge-zygote.so";

tl::unexpected<Error> cannot(std::string what) {
    return tl::unexpected(Error{Error::Code::cannot_judge, std::move(what)});
}

struct File {
    std::string_view name, bytes;
};

/// One run of a trusted tool in a fresh jail.
struct ToolRun {
    std::string_view program;
    std::vector<std::string> argv;
    std::initializer_list<File> inputs;
    std::string_view output;  // name of the file that it makes; "": what it prints
};

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

Result<std::string> run_tool(sandbox::Supervisor& supervisor, sandbox::Profile profile,
                             const std::vector<std::string_view>& env, const ToolRun& tool) {
    // Interpreters get the compiler's limits as well: it is a version that they print.
    const CompileRecipe& recipe = *language_row(Language::cpp).compile;
    auto jail = sandbox::Jail::create(supervisor, profile, recipe.limits);
    if (!jail) return tl::unexpected(from_sandbox(std::move(jail).error()));
    for (const File& file : tool.inputs) {
        auto put = jail->put_file(file.name, file.bytes);
        if (!put) return tl::unexpected(from_sandbox(std::move(put).error()));
    }
    sandbox::Command command;
    command.path = tool.program;
    command.argv = tool.argv;
    command.env.assign(env.begin(), env.end());
    auto outcome = jail->run(command, recipe.limits);
    if (!outcome) return tl::unexpected(from_sandbox(std::move(outcome).error()));
    if (outcome->ending != sandbox::Ending::exited || outcome->exit_code != 0)
        return cannot(fmt::format(
            "{} ended with {} {}{} in the jail: {}", tool.program, sandbox::name(outcome->ending),
            outcome->exit_code + outcome->signal, outcome->blocked_call, first_line(outcome->err)));
    if (tool.output.empty()) return std::move(outcome->out);
    auto bytes = jail->take_file(tool.output, recipe.limits.file_bytes);
    if (!bytes) return tl::unexpected(from_sandbox(std::move(bytes).error()));
    return std::move(*bytes);
}

Result<std::string> compile(sandbox::Supervisor& supervisor, std::vector<std::string> extra,
                            std::initializer_list<File> inputs, std::string_view output) {
    const CompileRecipe& recipe = *language_row(Language::cpp).compile;
    ToolRun tool{recipe.compiler, {std::string(recipe.compiler)}, inputs, output};
    tool.argv.insert(tool.argv.end(), recipe.flags.begin(), recipe.flags.end());
    tool.argv.insert(tool.argv.end(), extra.begin(), extra.end());
    tool.argv.insert(tool.argv.end(), {"-o", std::string(output)});
    return run_tool(supervisor, sandbox::Profile::compile, recipe.env, tool);
}

/// The entry object, with one global symbol: whatever else it has is its own, so that no weak
/// function of a submission can take the place of one of ours.
Result<std::string> entry_object(sandbox::Supervisor& supervisor) {
    auto object = compile(
        supervisor, {"-r", "-nostdlib", "-Wl,--force-group-allocation", "main.cpp"},
        {{"main.cpp", embedded::cpp_entry()}, {kHeader, embedded::perfmodel_header()}}, "raw.o");
    if (!object) return object;
    const ToolRun objcopy{
        kObjcopy,
        {"objcopy", "--keep-global-symbol=__wrap_main", "raw.o", std::string(kEntryObject)},
        {{"raw.o", *object}},
        kEntryObject};
    return run_tool(supervisor, sandbox::Profile::compile, language_row(Language::cpp).compile->env,
                    objcopy);
}

Result<void> write_file(const fs::path& path, std::string_view bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return cannot(fmt::format("cannot write {}: is the disk full?", path.string()));
    std::error_code error;
    fs::permissions(path, fs::perms(0644), error);
    if (error) return cannot(fmt::format("cannot make {} readable", path.string()));
    return {};
}

/// What decides about the bytes of the folder; another compiler or another perfjudge has another
/// one.
std::string cache_key(std::string_view compiler_version) {
    std::string text(compiler_version);
    for (const std::string_view flag : language_row(Language::cpp).compile->flags)
        text.append(1, '\0').append(flag);
    for (const std::string_view part : {embedded::cpp_entry(), embedded::perfmodel_header()})
        text.append(1, '\0').append(part);
    return "cpp-" + sha256_hex(text).substr(0, 16);
}

Result<void> fill_folder(sandbox::Supervisor& supervisor, const fs::path& folder) {
    auto object = entry_object(supervisor);
    if (!object) return tl::unexpected(std::move(object).error());
    auto header = compile(supervisor, {"-x", "c++-header", std::string(kHeader)},
                          {{kHeader, embedded::perfmodel_header()}}, kPrecompiled);
    if (!header) return tl::unexpected(std::move(header).error());
    for (const File& file : {File{kEntryObject, *object}, File{kPrecompiled, *header},
                             File{kHeader, embedded::perfmodel_header()}}) {
        auto written = write_file(folder / file.name, file.bytes);
        if (!written) return written;
    }
    return {};
}

}  // namespace

Result<void> prepare_cache(const fs::path& cache) {
    std::error_code error;
    fs::create_directories(cache, error);
    struct stat status {};
    if (error || ::lstat(cache.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return cannot(fmt::format("cannot make the cache folder {}; name another with --cache",
                                  cache.string()));
    constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
    if (status.st_uid != ::geteuid() || (status.st_mode & kOthersWrite) != 0)
        return cannot(fmt::format(
            "the cache folder {} can be written by others; remove it or name another with --cache",
            cache.string()));
    if (::chmod(cache.c_str(), 0755) != 0)
        return cannot(fmt::format("cannot make {} readable by jails", cache.string()));
    return {};
}

std::vector<sandbox::View> toolkit_views(const fs::path& cache, const fs::path& helper,
                                         std::vector<std::string>& missing) {
    std::vector<sandbox::View> views;
    for (const LanguageRow& row : language_rows()) {
        std::vector<sandbox::Profile> profiles{row.profile};
        if (row.compile) profiles.push_back(sandbox::Profile::compile);
        for (const sandbox::Profile profile : profiles) {
            auto view = sandbox::standard_view(profile);
            if (!view) {
                missing.push_back(fmt::format("{}: {}", name(row.language), view.error().what));
                continue;
            }
            if (profile == sandbox::Profile::compile)
                view->entries.push_back(
                    {sandbox::ViewEntry::Kind::bind, std::string(kCacheInJail), cache.string()});
            if (profile == sandbox::Profile::python)
                view->entries.push_back({sandbox::ViewEntry::Kind::bind, std::string(kZygoteInJail),
                                         (helper.parent_path() / kZygoteLibrary).string()});
            views.push_back(std::move(*view));
        }
    }
    return views;
}

Result<std::string> tool_version(sandbox::Supervisor& supervisor, Language language) {
    const LanguageRow& row = language_row(language);
    if (row.version_argv.empty()) return std::string(row.version);
    ToolRun tool{row.compile ? row.compile->compiler : row.program, {}, {}, ""};
    tool.argv.assign(row.version_argv.begin(), row.version_argv.end());
    const auto profile = row.compile ? sandbox::Profile::compile : row.profile;
    auto text = run_tool(supervisor, profile, row.compile ? row.compile->env : row.env, tool);
    if (!text) return text;
    return std::string(first_line(*text));
}

Result<std::string> prepare_cpp(sandbox::Supervisor& supervisor, const fs::path& cache,
                                std::string_view compiler_version) {
    const std::string key = cache_key(compiler_version);
    // Without mounts everything has the name that it has on the host.
    const bool mounted = supervisor.mode() == sandbox::Mode::full;
    std::string in_jail = fmt::format("{}/{}", mounted ? kCacheInJail : cache.string(), key);
    std::error_code error;
    if (fs::is_directory(cache / key, error)) return in_jail;
    std::string name = (cache / "making-XXXXXX").string();  // others may share the folder
    if (::mkdtemp(name.data()) == nullptr || ::chmod(name.c_str(), 0755) != 0)
        return cannot(fmt::format("cannot make {}; name another with --cache", name));
    const fs::path making = name;
    auto filled = fill_folder(supervisor, making);
    // The rename is the moment at which the folder exists, whole; who comes second keeps the first.
    if (filled) fs::rename(making, cache / key, error);
    std::error_code ignored;
    fs::remove_all(making, ignored);
    if (!filled) return tl::unexpected(std::move(filled).error());
    if (!fs::is_directory(cache / key, ignored))
        return cannot(fmt::format("cannot write to the cache folder {}: {}", cache.string(),
                                  error.message()));
    return in_jail;
}

}  // namespace grader

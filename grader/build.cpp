// One compiler run per submission: compile and link at once, in a jail that ends with it.
// Interprets no diagnostics.
// See build.hpp.
#include "grader/build.hpp"

#include "grader/languages.hpp"
#include "grader/sandbox_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace grader {

namespace {

constexpr std::size_t kLogBytes = 64U << 10U;
constexpr std::string_view kProgramName = "program";

/// The submission's own main stays in its object: the start code asks for __wrap_main, which is
/// ours.
std::vector<std::string> compile_command(const LanguageRow& row, const Toolkit& toolkit) {
    std::vector<std::string> argv{std::string(row.compile->compiler)};
    argv.insert(argv.end(), row.compile->flags.begin(), row.compile->flags.end());
    argv.insert(argv.end(), {"-Winvalid-pch", "-I" + toolkit.cpp_folder,
                             std::string(row.compile->source_name), toolkit.cpp_folder + "/entry.o",
                             "-Wl,--wrap=main", "-static", "-s", "-o", std::string(kProgramName)});
    return argv;
}

std::string cut_log(std::string&& log, sandbox::Ending ending) {
    const bool cut = log.size() > kLogBytes || ending == sandbox::Ending::output_limit;
    if (log.size() > kLogBytes) log.resize(kLogBytes);
    if (cut) log += fmt::format("\n[cut: the compiler wrote more than {} KiB]\n", kLogBytes >> 10U);
    return std::move(log);
}

/// The box was full, or a file reached its limit. Whoever fakes these words was refused anyway.
bool ran_out_of_room(std::string_view log) {
    constexpr std::array<std::string_view, 3> kWords{
        "File size limit exceeded signal terminated program", "No space left on device",
        "File too large"};
    return std::any_of(kWords.begin(), kWords.end(), [log](std::string_view words) {
        return log.find(words) != std::string_view::npos;
    });
}

Result<Build> compile(sandbox::Supervisor& supervisor, const Toolkit& toolkit,
                      const LanguageRow& row, std::string_view source) {
    const CompileRecipe& recipe = *row.compile;
    auto jail = sandbox::Jail::create(supervisor, sandbox::Profile::compile, recipe.limits);
    if (!jail) return tl::unexpected(from_sandbox(std::move(jail).error()));
    auto put = jail->put_file(recipe.source_name, source);
    if (!put) return tl::unexpected(from_sandbox(std::move(put).error()));
    sandbox::Command command;
    command.path = recipe.compiler;
    command.argv = compile_command(row, toolkit);
    command.env.assign(recipe.env.begin(), recipe.env.end());
    auto outcome = jail->run(command, recipe.limits);
    if (!outcome) return tl::unexpected(from_sandbox(std::move(outcome).error()));

    Build build;
    build.output.log = cut_log(std::move(outcome->err), outcome->ending);
    outcome->err.clear();
    outcome->out.clear();
    outcome->answer.clear();
    build.output.outcome = std::move(*outcome);
    const sandbox::Outcome& ended = build.output.outcome;
    if (ended.ending != sandbox::Ending::exited || ended.exit_code != 0) {
        build.output.object_too_large =
            ended.ending == sandbox::Ending::exited && ran_out_of_room(build.output.log);
        return build;
    }
    // The compiler says that there is a program: if it cannot be taken, it is too large.
    auto bytes = jail->take_file(kProgramName, recipe.program_bytes);
    if (!bytes && bytes.error().code != sandbox::Error::Code::bad_request)
        return tl::unexpected(from_sandbox(std::move(bytes).error()));
    build.output.object_too_large = !bytes;
    if (!bytes) return build;
    auto image = sandbox::Image::from_bytes(*bytes);
    if (!image) return tl::unexpected(from_sandbox(std::move(image).error()));
    build.output.built = true;
    build.program = Program{row.language, std::move(*image), {}};
    return build;
}

}  // namespace

Result<Build> build(sandbox::Supervisor& supervisor, const Toolkit& toolkit, Language language,
                    std::string_view source) {
    const LanguageRow& row = language_row(language);
    Build build;
    if (source.size() > kMaxSourceBytes) {  // else the box of a case could not take it: our fault
        build.output.object_too_large = true;
        build.output.log = fmt::format("the source has more than {} KiB\n", kMaxSourceBytes >> 10U);
        return build;
    }
    if (row.compile) return compile(supervisor, toolkit, row, source);
    build.output.built = true;
    build.program = Program{language, std::nullopt, std::string(source)};
    return build;
}

}  // namespace grader

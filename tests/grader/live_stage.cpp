// Starts the helper that meson names in the environment.
// Skips where the host cannot jail, unless PERFJUDGE_JAIL_MUST_WORK is set.
// See live_stage.hpp.
#include "tests/grader/live_stage.hpp"

#include "grader/embedded.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

namespace live {

namespace {

[[noreturn]] void cannot_run(const std::string& why) {
    (void)std::fprintf(stderr, "skipped: %s\n", why.c_str());
    std::_Exit(std::getenv("PERFJUDGE_JAIL_MUST_WORK") != nullptr ? 1 : 77);
}

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) cannot_run(std::string(name) + " is not set");
    return value;
}

sandbox::Supervisor start() {
    if (auto ready = grader::prepare_cache(cache_path()); !ready) cannot_run(ready.error().what);
    std::vector<std::string> missing;
    auto supervisor = sandbox::Supervisor::start(
        {helper_path(), grader::toolkit_views(cache_path(), helper_path(), missing)});
    if (!supervisor) cannot_run(supervisor.error().what);
    if (!missing.empty()) cannot_run(missing.front());
    return std::move(*supervisor);
}

grader::Toolkit make_toolkit(sandbox::Supervisor& supervisor) {
    grader::Toolkit toolkit;
    auto host = sandbox::Image::from_bytes(grader::embedded::lua_host());
    if (!host) cannot_run(host.error().what);
    toolkit.lua_host = std::move(*host);
    auto version = grader::tool_version(supervisor, grader::Language::cpp);
    if (!version) cannot_run(version.error().what);
    auto folder = grader::prepare_cpp(supervisor, cache_path(), *version);
    if (!folder) cannot_run(folder.error().what);
    toolkit.cpp_folder = *folder;
    return toolkit;
}

}  // namespace

std::string helper_path() {
    return from_environment("PERFJUDGE_JAIL");
}
std::string cache_path() {
    return from_environment("PERFJUDGE_TEST_CACHE");
}

Stage::Stage(sandbox::Supervisor started, grader::Toolkit made)
    : supervisor(std::move(started)), toolkit(std::move(made)) {
    limits.cpu_time = std::chrono::milliseconds(2000);
    limits.wall_time = std::chrono::milliseconds(9000);
}

Stage& Stage::get() {
    static Stage stage = [] {
        sandbox::Supervisor supervisor = start();
        grader::Toolkit toolkit = make_toolkit(supervisor);
        return Stage(std::move(supervisor), std::move(toolkit));
    }();
    return stage;
}

grader::Build Stage::build(grader::Language language, std::string_view source) {
    auto built = grader::build(supervisor, toolkit, language, source);
    REQUIRE_MESSAGE(built, built.error().what);
    return std::move(*built);
}

grader::CaseOutput Stage::run(grader::Language language, std::string_view source,
                              std::string_view input) {
    const grader::Build built = build(language, source);
    REQUIRE_MESSAGE(built.program, built.output.log);
    return run(*built.program, input);
}

grader::CaseOutput Stage::run(const grader::Program& program, std::string_view input) {
    const auto profile = grader::language_row(program.language).profile;
    auto jail = sandbox::Jail::create(supervisor, profile, limits);
    REQUIRE_MESSAGE(jail, jail.error().what);
    auto output = grader::run_case(*jail, toolkit, program, {std::string(input), true}, limits);
    REQUIRE_MESSAGE(output, output.error().what);
    INFO(output->outcome.err);
    return std::move(*output);
}

}  // namespace live

// The stages of a worker on one side, the same compiler with the same inputs on the other.
// Measures nothing of coordinator or protocol.
// See bench_submission.hpp.
#include "tools/bench_submission.hpp"

#include "grader/build.hpp"
#include "grader/cases.hpp"
#include "grader/embedded.hpp"
#include "grader/languages.hpp"
#include "grader/run_case.hpp"
#include "grader/toolkit.hpp"
#include "sandbox/jail.hpp"
#include "tools/own_path.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace tools::bench {

namespace {

namespace fs = std::filesystem;
constexpr int kCases = 100;

std::string read_whole(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A folder that is removed at the end.
struct Scratch {
    fs::path path =
        fs::temp_directory_path() / ("perfjudge-bench-" + std::to_string(::time(nullptr)));
    Scratch() { fs::create_directories(path); }
    ~Scratch() {
        std::error_code error;
        fs::remove_all(path, error);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    Scratch(Scratch&&) = delete;
    Scratch& operator=(Scratch&&) = delete;
};

/// What a worker has at hand.
struct Stage {
    sandbox::Supervisor supervisor;
    grader::Toolkit toolkit;
    fs::path cpp_folder;  // on the host
};

Stage prepare(const fs::path& cache) {
    if (auto ready = grader::prepare_cache(cache); !ready) fail(ready.error().what);
    std::vector<std::string> missing;
    auto views = grader::toolkit_views(cache, helper_program(), missing);
    for (const std::string& line : missing) fail(line);
    Stage stage{need(sandbox::Supervisor::start({helper_program(), std::move(views)})), {}, {}};
    stage.toolkit.lua_host = need(sandbox::Image::from_bytes(grader::embedded::lua_host()));
    const std::string version = need(grader::tool_version(stage.supervisor, grader::Language::cpp));
    stage.toolkit.cpp_folder = need(grader::prepare_cpp(stage.supervisor, cache, version));
    stage.cpp_folder = cache / stage.toolkit.cpp_folder.substr(grader::kCacheInJail.size() + 1);
    return stage;
}

/// A submission's repeat in an interpreted language: one jail for all its cases, a fork for each.
double interpreted(Stage& stage, const grader::Program& program, const grader::CaseInput& input,
                   const sandbox::Limits& limits) {
    const double start = now_us();
    const sandbox::Profile profile = grader::language_row(program.language).profile;
    auto jail = need(sandbox::Jail::create(stage.supervisor, profile, limits));
    for (int i = 0; i < kCases; ++i) {
        if (i > 0 && !jail.reset()) fail("reset");
        const auto output = need(grader::run_case(jail, stage.toolkit, program, input, limits));
        if (output.outcome.answer.empty()) fail("a case left no answer: " + output.outcome.err);
    }
    return now_us() - start;
}

double graded(Stage& stage, const std::string& source, const grader::CaseInput& input,
              const sandbox::Limits& limits) {
    const double start = now_us();
    auto built =
        need(grader::build(stage.supervisor, stage.toolkit, grader::Language::cpp, source));
    if (!built.program) fail("the submission does not compile: " + built.output.log);
    auto jail = need(sandbox::Jail::create(stage.supervisor, sandbox::Profile::native, limits));
    for (int i = 0; i < kCases; ++i) {
        if (i > 0 && !jail.reset()) fail("reset");
        const auto output =
            need(grader::run_case(jail, stage.toolkit, *built.program, input, limits));
        if (output.outcome.answer.empty()) fail("a case left no answer");
    }
    return now_us() - start;
}

std::vector<std::string> compile_words(const fs::path& folder, const fs::path& source,
                                       const fs::path& program) {
    const grader::CompileRecipe& recipe = *grader::language_row(grader::Language::cpp).compile;
    std::vector<std::string> words{std::string(recipe.compiler)};
    words.insert(words.end(), recipe.flags.begin(), recipe.flags.end());
    words.insert(words.end(), {"-Winvalid-pch", "-I" + folder.string(), source.string(),
                               (folder / "entry.o").string(), "-Wl,--wrap=main", "-static", "-s",
                               "-o", program.string()});
    return words;
}

}  // namespace

void bench_submission(const Plan& given, Bare& bare) {
    Plan plan = given;
    plan.rounds = std::max(1, given.rounds / 10);  // one pair takes seconds
    const Scratch scratch;
    const fs::path task_folder =
        own_program().parent_path() / "../../tasks/construction/gemm-two-level";
    const auto task = need(grader::load_task(task_folder.lexically_normal()));
    const auto cases = need(grader::make_cases(task, grader::development_seed()));
    const fs::path source_file = scratch.path / "submission.cpp";
    const fs::path input_file = scratch.path / "case.json";
    const std::string source = read_whole(task.folder / "solutions/solution.cpp");
    std::ofstream(source_file) << source;
    std::ofstream(input_file) << cases.inputs.front().json;
    Stage stage = prepare(scratch.path / "cache");
    const fs::path plain = scratch.path / "plain";  // the same without the precompiled header
    fs::create_directories(plain);
    for (const char* name : {"perfmodel.hpp", "entry.o"})
        fs::copy_file(stage.cpp_folder / name, plain / name);
    const auto bare_all = [&](const fs::path& folder) {
        const fs::path program = scratch.path / "program";
        return bare.run(1, "/dev/null", compile_words(folder, source_file, program)) +
               bare.run(kCases, input_file.string(), {program.string()});
    };
    const auto program_of = [&](grader::Language language, const char* file) {
        return grader::Program{language, std::nullopt,
                               read_whole(task.folder / "solutions" / file)};
    };
    const auto repeat_of = [&](const grader::Program& program) {
        return [&] { return interpreted(stage, program, cases.inputs.front(), task.limits); };
    };
    const grader::Program python = program_of(grader::Language::python, "solution.py");
    const grader::Program lua = program_of(grader::Language::lua, "solution.lua");
    const auto bare_runs = [&](std::vector<std::string> words) {
        return [&bare, words = std::move(words)] { return bare.run(kCases, "/dev/null", words); };
    };
    pair(plan, "100 Python cases, one jail / python3 -c pass", "<= 0.5", repeat_of(python),
         bare_runs({"/usr/bin/python3", "-c", "pass"}));
    pair(plan, "100 Python cases, one jail / python3 -I -S -c pass", "", repeat_of(python),
         bare_runs({"/usr/bin/python3", "-I", "-S", "-c", "pass"}));
    const std::string lua_name = "100 Lua cases, one jail / lua5.4 -e ''";
    if (fs::exists("/usr/bin/lua5.4"))
        pair(plan, lua_name, "<= 0.6", repeat_of(lua), bare_runs({"/usr/bin/lua5.4", "-e", ""}));
    else
        note(plan, lua_name, "lua5.4 is not installed");
    const auto ours = [&] { return graded(stage, source, cases.inputs.front(), task.limits); };
    pair(plan, "C++ with 100 cases / compile + 100 bare runs, same PCH", "<= 1.15", ours,
         [&] { return bare_all(stage.cpp_folder); });
    pair(plan, "C++ with 100 cases / compile without PCH + 100 runs", "", ours,
         [&] { return bare_all(plain); });
}

}  // namespace tools::bench

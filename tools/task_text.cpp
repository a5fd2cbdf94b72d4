// Texts of `perfjudge task`, from a loaded task.
// Does not print.
// See task_text.hpp.
#include "tools/task_text.hpp"

#include "grader/cases.hpp"
#include "grader/json.hpp"
#include "grader/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace tools {

namespace {

namespace fs = std::filesystem;
using grader::Error;
using grader::Json;
using grader::Language;
using grader::Result;
using grader::Task;

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

Result<std::string> read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file.is_open() || bytes.str().empty())
        return wrong(
            fmt::format("cannot read '{}', which every prompt of the track needs", path.string()));
    return bytes.str();
}

Json expected_json(const grader::Expected& expected) {
    Json values = Json::object();
    for (const grader::ExpectedQuantity& quantity : expected)
        values.set(quantity.name, quantity.value);
    return values;
}

std::string languages_text(const Task& task) {
    std::string text;
    for (const Language language : task.languages)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", name(language));
    return text;
}

std::string case_text(std::size_t number, const grader::CaseInput& input,
                      const grader::Expected& expected) {
    return fmt::format("case {} ({})\n  input    {}\n  expected {}\n", number,
                       input.visible ? "visible" : "hidden, development seed", input.json,
                       dump(expected_json(expected)));
}

Result<std::string> case_line(std::size_t number, const grader::CaseInput& input,
                              const grader::Expected& expected) {
    auto parsed = grader::parse_json(input.json);
    if (!parsed) return tl::unexpected(std::move(parsed.error()));
    return dump(Json::object({{"case", number},
                              {"visible", input.visible},
                              {"input", std::move(*parsed)},
                              {"expected", expected_json(expected)}})) +
           "\n";
}

Result<std::vector<Language>> wanted_languages(const Task& task, std::string_view spelling) {
    if (spelling.empty()) return task.languages;
    const auto language = grader::parse_language(spelling);
    if (!language ||
        std::find(task.languages.begin(), task.languages.end(), *language) == task.languages.end())
        return wrong(fmt::format("task '{}' takes no language {}; it takes {}", task.id,
                                 grader::quoted(spelling), languages_text(task)));
    return std::vector{*language};
}

Result<std::string> visible_cases_text(const Task& task) {
    const auto cases = make_cases(task, grader::development_seed());
    if (!cases) return tl::unexpected(cases.error());
    std::string text = "# Examples\n";
    for (std::size_t i = 0; i < cases->inputs.size() && cases->inputs[i].visible; ++i)
        text += fmt::format("\nInput:\n\n```json\n{}\n```\n\nAnswer:\n\n```json\n{}\n```\n",
                            cases->inputs[i].json, dump(expected_json(cases->expected[i])));
    return text;
}

}  // namespace

Result<Task> find_task(const fs::path& root, std::string_view id) {
    auto tasks = grader::load_tasks(root);
    if (!tasks) return tl::unexpected(std::move(tasks.error()));
    std::string known;
    for (Task& task : *tasks) {
        if (task.id == id) return std::move(task);
        known += (known.empty() ? "" : ", ") + task.id;
    }
    return wrong(
        fmt::format("no task {} in '{}'; there are {}", grader::quoted(id), root.string(), known));
}

Result<std::string> list_text(const fs::path& root) {
    const auto tasks = grader::load_tasks(root);
    if (!tasks) return tl::unexpected(tasks.error());
    std::size_t width = 0;
    for (const Task& task : *tasks) width = std::max(width, task.id.size());
    std::string text;
    for (const Task& task : *tasks)
        text += fmt::format("{:<{}}  {:<12}  {} visible, {} hidden  {}\n", task.id, width,
                            task.track, task.visible_cases, task.hidden_cases, task.title);
    return text;
}

std::string show_text(const Task& task) {
    const sandbox::Limits& limits = task.limits;
    std::string text = fmt::format("{}: {}\n", task.id, task.title);
    text += fmt::format("  track       {}\n", task.track);
    text += fmt::format("  entry       {}, in {}\n", task.entry, languages_text(task));
    text += fmt::format("  limits      {} ms CPU, {} ms wall, {} MiB memory, {} KiB output\n",
                        limits.cpu_time.count(), limits.wall_time.count(),
                        limits.memory_bytes >> 20U, limits.output_bytes >> 10U);
    text += fmt::format(
        "  cases       {} visible, {} hidden, generator {}, at most {} steps and {} iterations\n",
        task.visible_cases, task.hidden_cases, task.generator, task.case_limits.max_steps,
        task.case_limits.max_iterations);
    text += fmt::format("  quantities  {}\n", grader::names_of(task.quantities));
    return text;
}

Result<std::string> cases_text(const Task& task, bool only_visible, bool json) {
    const auto cases = make_cases(task, grader::development_seed());
    if (!cases) return tl::unexpected(cases.error());
    std::string text;
    for (std::size_t i = 0; i < cases->inputs.size(); ++i) {
        const grader::CaseInput& input = cases->inputs[i];
        if (only_visible && !input.visible) continue;
        if (!json) {
            text += case_text(i, input, cases->expected[i]);
            continue;
        }
        auto line = case_line(i, input, cases->expected[i]);
        if (!line) return line;
        text += *line;
    }
    return text;
}

Result<std::string> prompt_text(const Task& task, std::string_view language) {
    const auto languages = wanted_languages(task, language);
    if (!languages) return tl::unexpected(languages.error());
    const fs::path track = task.folder.parent_path();
    auto text = read_text(track / "interface.md");
    if (!text) return text;
    std::string prompt = task.statement + "\n" + *text;
    for (const Language wanted : *languages) {
        text = read_text(track / fmt::format("interface-{}.md", name(wanted)));
        if (!text) return text;
        prompt += "\n" + *text;
    }
    auto examples = visible_cases_text(task);
    if (!examples) return examples;
    prompt += "\n" + *examples;
    prompt += fmt::format("\nReply with one fenced code block that defines `{}`.\n", task.entry);
    return prompt;
}

}  // namespace tools

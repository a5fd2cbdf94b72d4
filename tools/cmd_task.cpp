// `perfjudge task`: list tasks, show one, print its cases or prompt, verify them.
// Judges nothing itself: `verify` hands its files to the pipeline of `perfjudge grade`.
// Registered by main.cpp.
#include "tools/cmd_task.hpp"

#include "tools/exit_code.hpp"
#include "tools/grade_setup.hpp"
#include "tools/log.hpp"
#include "tools/task_text.hpp"
#include "tools/task_verify.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tools {

namespace {

struct Options {
    std::string tasks = "tasks";
    std::string id;
    std::string language;
    bool visible = false;
    bool json = false;
};

int finish(const grader::Result<std::string>& text) {
    if (!text) {
        log_error(text.error().what);
        return number(ExitCode::unusable);
    }
    std::fwrite(text->data(), 1, text->size(), stdout);
    return number(ExitCode::finished);
}

/// The named task, or all of them.
grader::Result<std::vector<grader::Task>> chosen(const Options& options) {
    if (options.id.empty()) return grader::load_tasks(options.tasks);
    auto task = find_task(options.tasks, options.id);
    if (!task) return tl::unexpected(std::move(task.error()));
    return std::vector<grader::Task>{std::move(*task)};
}

int verify(const Options& options) {
    auto tasks = chosen(options);
    if (!tasks) return finish(tl::unexpected(std::move(tasks.error())));
    const auto rows = verify_tasks(*tasks, options.tasks, processors());
    if (!rows) {
        log_error(rows.error().what);
        const bool unusable = rows.error().code == grader::Error::Code::bad_input;
        return number(unusable ? ExitCode::unusable : ExitCode::cannot_judge);
    }
    (void)finish(verified_text(*rows));
    const bool all = std::all_of(rows->begin(), rows->end(),
                                 [](const Verified& row) { return row.verdict == row.expected; });
    return number(all ? ExitCode::finished : ExitCode::not_accepted);
}

grader::Result<std::string> with_task(const Options& options,
                                      grader::Result<std::string> (*print)(const grader::Task&,
                                                                           const Options&)) {
    auto task = find_task(options.tasks, options.id);
    if (!task) return tl::unexpected(std::move(task.error()));
    return print(*task, options);
}

}  // namespace

void add_task(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* task = app.add_subcommand("task", "Show tasks, their cases and their prompts");
    task->require_subcommand(1);
    task->add_option("--tasks", options->tasks, "Folder of tasks")->capture_default_str();

    CLI::App* list = task->add_subcommand("list", "One line per task");
    list->callback([options, &exit_code] { exit_code = finish(list_text(options->tasks)); });

    auto add = [&](const char* name, const char* help) {
        CLI::App* command = task->add_subcommand(name, help);
        command->add_option("ID", options->id, "A task's name")->required();
        return command;
    };
    add("show", "What a task asks, its limits and how its cases are made")
        ->callback([options, &exit_code] {
            exit_code = finish(with_task(*options, [](const grader::Task& found, const Options&) {
                return grader::Result<std::string>(show_text(found));
            }));
        });

    CLI::App* cases = add("cases", "Its cases with the expected numbers (development seed)");
    cases->add_flag("--visible", options->visible, "Only the visible ones");
    cases->add_flag("--json", options->json, "JSON lines");
    cases->callback([options, &exit_code] {
        exit_code = finish(with_task(*options, [](const grader::Task& found, const Options& o) {
            return cases_text(found, o.visible, o.json);
        }));
    });

    CLI::App* check = task->add_subcommand(
        "verify",
        "Grade its solutions and wrong submissions: each must get the verdict of its folder");
    check->add_option("ID", options->id, "A task's name; all tasks if not given");
    check->callback([options, &exit_code] { exit_code = verify(*options); });

    CLI::App* prompt = add("prompt", "The text that a model is given");
    prompt->add_option("--language", options->language, "Only the rules of this language");
    prompt->callback([options, &exit_code] {
        exit_code = finish(with_task(*options, [](const grader::Task& found, const Options& o) {
            return prompt_text(found, o.language);
        }));
    });
}

}  // namespace tools

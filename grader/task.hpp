// One task folder: what is asked, how its cases are made, its limits. Holds no expected number.
// Does not generate cases: cases.hpp does.
// Used by the coordinator and by `perfjudge task`.
#pragma once

#include "grader/error.hpp"
#include "grader/language.hpp"
#include "grader/tolerance.hpp"
#include "reference/generate.hpp"
#include "sandbox/limits.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// One asked quantity or, with {input} or {output}, one per such tensor of a case.
struct Quantity {
    std::string pattern;  // "dram.reads.{input}"; quantities.hpp has the grammar
    Tolerance tolerance;
    bool operator==(const Quantity&) const = default;
};

struct Task {
    std::string id;
    std::string track;
    std::string title;
    std::filesystem::path folder;
    std::string entry;                // "predict"
    std::vector<Language> languages;  // in the order of task.toml
    sandbox::Limits limits;           // of one case
    std::string generator;            // a family of reference/generate.hpp
    reference::GenerateLimits case_limits;
    std::uint32_t visible_cases = 0;
    std::uint32_t hidden_cases = 0;
    std::vector<Quantity> quantities;  // in the order of task.toml
    std::string statement;             // statement.md
};

/// Errors: bad_input with file, line, key and what would be right.
Result<Task> load_task(const std::filesystem::path& folder);

/// All tasks below `root` (tasks/<track>/<id>/task.toml), sorted by id.
Result<std::vector<Task>> load_tasks(const std::filesystem::path& root);

}  // namespace grader

// What `perfjudge task` prints, as text.
// Does not print and does not parse a command line.
// Called by cmd_task.cpp and its tests.
#pragma once

#include "grader/error.hpp"
#include "grader/task.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace tools {

/// Errors: bad_input naming the nearest things that exist.
grader::Result<grader::Task> find_task(const std::filesystem::path& root, std::string_view id);

grader::Result<std::string> list_text(const std::filesystem::path& root);
std::string show_text(const grader::Task& task);

/// The cases made from the development seed. JSON lines {"case","visible","input","expected"}, or
/// the same as indented text.
grader::Result<std::string> cases_text(const grader::Task& task, bool only_visible, bool json);

/// Statement, interface (interface.md and interface-LANGUAGE.md beside the task's folder) and the
/// first visible cases with their answers. `language` "" means all languages of the task.
grader::Result<std::string> prompt_text(const grader::Task& task, std::string_view language);

}  // namespace tools

// One JSON value of a submissions file to the replies it holds, whatever tool wrote it.
// Does not number samples, find duplicates or know the tasks: submission.cpp does.
// Called by submission_files.cpp, once per line or document.
#pragma once

#include "grader/json.hpp"
#include "grader/language.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A reply as it was found. Exactly one of: `problem` is set (no readable key); `why` is set (a
/// key, but nothing to grade); neither (a reply).
struct Draft {
    std::string task;
    std::optional<std::size_t> task_index;  // bigcode lists have no names: the n-th task
    std::optional<std::string> model;
    std::optional<std::int64_t> sample;
    std::int64_t round = 0;
    std::optional<Language> language;
    std::string text;
    bool is_code = false;
    std::string finish_reason;
    std::string why;
    std::string problem;
    std::string where;
};

/// What the place of a value says about it.
struct LineContext {
    std::string where;                 // "file:line"
    std::string task;                  // lm-eval: from the name of the file, else ""
    std::string folder;                // lm-eval: the folder of the file, which names the model
    std::optional<std::string> model;  // where the value names none
};

/// Every reply in `value`: an object of a known shape, or a list of such. Never empty.
std::vector<Draft> read_line(const Json& value, const LineContext& context);

/// "task#sample" or "task#sample#round" into the draft; without "#" the sample stays open.
/// False if what stands behind "#" is no number.
bool read_custom_id(std::string_view id, Draft& draft);

/// The text of a message's content: a string, null, or a list of parts. None: some other shape.
std::optional<std::string> content_text(const Json& content);

}  // namespace grader

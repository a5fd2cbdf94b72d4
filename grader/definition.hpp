// Does this code define the entry point? A light reading of each language, one pass.
// Does not parse programs: it knows comments, strings and the forms a definition can take.
// Called by extract.cpp.
#pragma once

#include "grader/language.hpp"

#include <string_view>

namespace grader {

/// C++:    `predict(...)` with a body, outside of classes and functions; a declaration is not one.
/// Python: `def predict` or `predict = ...` that is not inside a function or a class.
/// Lua:    `function predict` or `predict = ...` that is not local and not a field (but of _G).
/// Never within a comment or a string.
bool defines(std::string_view code, Language language, std::string_view entry);

/// A unified diff, or search/replace blocks, in place of code.
bool looks_like_diff(std::string_view text);

}  // namespace grader

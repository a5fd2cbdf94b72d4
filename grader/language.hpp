// The names of languages: enumerators, canonical names, and every spelling that people use.
// Does not know how a language is built or run: languages.hpp does.
// Used by submissions, extraction, tasks and reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace grader {

enum class Language : std::uint8_t { cpp, python, lua };

/// A larger source is refused before it is built: CE compile_output. Every task leaves room for twice
/// as much in the box of a case.
inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20U;

/// "cpp", "python", "lua": what reports and tasks say.
std::string_view name(Language language);

/// Any usual spelling, case-blind: C++, cpp, c++20, cxx, Python3, py, lua5.4, ... None if unknown.
std::optional<Language> parse_language(std::string_view spelling);

/// The language that the info string of a fence names: "cpp", "Python 3", "{.lua}", "python:a.py",
/// "solution.cpp", "language-py". None for any other tag.
std::optional<Language> language_of_tag(std::string_view info);

/// By file extension, with or without its dot. None for extensions of no language.
std::optional<Language> language_of_extension(std::string_view extension);

}  // namespace grader

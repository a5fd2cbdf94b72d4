// Tests of grader/language.hpp.
// No other module.
// Run by the unit suite.
#include "grader/language.hpp"

#include <doctest/doctest.h>

using grader::Language;
using grader::parse_language;

TEST_CASE("language: usual spellings are read") {
    for (const char* text :
         {"C++", "cpp", "c++20", "C++ 17", "cxx", "g++", "GNU C++17", "C++17 (g++ 12)", " CPP "})
        CHECK(parse_language(text) == Language::cpp);
    for (const char* text : {"Python", "python3", "py", "Python 3.11"})
        CHECK(parse_language(text) == Language::python);
    for (const char* text : {"lua", "Lua5.4", "LUA 5.4"})
        CHECK(parse_language(text) == Language::lua);
}

TEST_CASE("language: others are not") {
    for (const char* text : {"", "c", "java", "luau", "pyrex", "cppx", "python-like"})
        CHECK(!parse_language(text));
}

TEST_CASE("language: info strings of fences") {
    using grader::language_of_tag;
    for (const char* text :
         {"python", "Python 3", "py title=\"a.py\"", "{.python .numberLines}", "python:a.cpp",
          "python,linenos", "predict.py", "src/predict.py", "language-python", "python3"})
        CHECK_MESSAGE(language_of_tag(text) == Language::python, text);
    for (const char* text : {"C++", "cpp", "c++17", "hpp", "solution.cpp", "lang-cpp"})
        CHECK_MESSAGE(language_of_tag(text) == Language::cpp, text);
    for (const char* text : {"lua", "LUA", "lua5.4", "a.lua"})
        CHECK_MESSAGE(language_of_tag(text) == Language::lua, text);
    for (const char* text : {"", "text", "bash", "c", "diff", "def predict(w):", "pycon", "a.txt",
                             ".", "{}", "console"})
        CHECK_MESSAGE(!language_of_tag(text), text);
}

TEST_CASE("language: file extensions") {
    CHECK(grader::language_of_extension(".py") == Language::python);
    CHECK(grader::language_of_extension("CPP") == Language::cpp);
    CHECK(grader::language_of_extension(".lua") == Language::lua);
    CHECK(!grader::language_of_extension(".rs"));
    CHECK(!grader::language_of_extension(""));
}

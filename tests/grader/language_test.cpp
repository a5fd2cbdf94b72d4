// Tests of grader/language.hpp.
// No other module.
// Run by the unit suite.
#include "grader/language.hpp"

#include <doctest/doctest.h>

using grader::Language;
using grader::parse_language;

TEST_CASE("language: usual spellings are read") {
    for (const char* text : {"C++", "cpp", "c++20", "C++ 17", "cxx", "g++"}) CHECK(parse_language(text) == Language::cpp);
    for (const char* text : {"Python", "python3", "py", "Python 3.11"}) CHECK(parse_language(text) == Language::python);
    for (const char* text : {"lua", "Lua5.4", "LUA 5.4"}) CHECK(parse_language(text) == Language::lua);
}

TEST_CASE("language: others are not") {
    for (const char* text : {"", "c", "java", "luau", "pyrex", "cppx", "python-like"}) CHECK(!parse_language(text));
}

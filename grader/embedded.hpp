// The files that travel inside the program: entry code of every language, and the Lua host.
// Does not write them anywhere.
// Used by languages.cpp and toolkit.cpp.
#pragma once

#include <string_view>

namespace grader::embedded {

std::string_view perfmodel_header();  // entry/perfmodel.hpp
std::string_view cpp_entry();         // entry/main.cpp
std::string_view python_entry();      // entry/entry.py
std::string_view lua_host();          // the static program perfjudge-lua

}  // namespace grader::embedded

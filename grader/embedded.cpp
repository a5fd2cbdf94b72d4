// Views of what entry/embed.py put into the program.
// Holds no bytes itself.
// See embedded.hpp.
#include "grader/embedded.hpp"

#include <cstddef>

extern "C" {
extern const char grader_embedded_perfmodel[], grader_embedded_perfmodel_end[];
extern const char grader_embedded_cpp_entry[], grader_embedded_cpp_entry_end[];
extern const char grader_embedded_python_entry[], grader_embedded_python_entry_end[];
extern const char grader_embedded_lua_host[], grader_embedded_lua_host_end[];
}

namespace grader::embedded {

namespace {

std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view perfmodel_header() {
    return between(grader_embedded_perfmodel, grader_embedded_perfmodel_end);
}
std::string_view cpp_entry() {
    return between(grader_embedded_cpp_entry, grader_embedded_cpp_entry_end);
}
std::string_view python_entry() {
    return between(grader_embedded_python_entry, grader_embedded_python_entry_end);
}
std::string_view lua_host() {
    return between(grader_embedded_lua_host, grader_embedded_lua_host_end);
}

}  // namespace grader::embedded

// The attacks of a hostile corpus, and what their heads say must come of them.
// Runs nothing.
// Called by selftest_run.cpp.
#pragma once

#include "grader/error.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// One file `VERDICT/name.ext`. Its first comment line says what it tries, a later one
/// `expect: reason=a|b flags=f,g run_flags=f run_reason=r uses=PART task=ID`, all optional.
struct Attack {
    std::string name;      // "SV/A27-socket.cpp"
    std::string verdict;   // of its folder
    std::string language;  // "cpp", "python", "lua"
    std::string tries;
    std::string task = "gemm-two-level";
    std::string code;               // with the part that it uses in front
    std::set<std::string> reasons;  // empty: any
    std::set<std::string> flags, run_flags;
    std::string run_reason;  // "": any
};

struct Corpus {
    std::vector<Attack> attacks;                // sorted by name
    std::map<std::string, std::string> limits;  // keys of a task's [limits] -> numbers
};

/// The attacks whose name contains `only`. Errors: bad_input naming the file and what is wrong.
grader::Result<Corpus> load_corpus(const std::filesystem::path& folder, std::string_view only);

/// One file's text; the part that it uses is not in front yet.
grader::Result<Attack> parse_attack(const std::string& name, const std::string& text);
/// Name of the part that an attack uses; "" for none.
std::string used_part(std::string_view text);

/// Each @NAME@ becomes its value.
std::string fill_in(std::string text, const std::map<std::string, std::string>& values);

}  // namespace tools

// Canonical names and usual spellings of languages.
// Does not build or run anything.
// See language.hpp.
#include "grader/language.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace grader {

namespace {

struct Spelling {
    std::string_view text;  // lower case
    Language language;
};

constexpr std::array kSpellings{
    Spelling{"cpp", Language::cpp},        Spelling{"c++", Language::cpp},
    Spelling{"cxx", Language::cpp},        Spelling{"cc", Language::cpp},
    Spelling{"cplusplus", Language::cpp},  Spelling{"g++", Language::cpp},
    Spelling{"hpp", Language::cpp},        Spelling{"python", Language::python},
    Spelling{"py", Language::python},      Spelling{"cpython", Language::python},
    Spelling{"lua", Language::lua},
};

bool is_version(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isdigit(c) != 0 || c == '.' || c == ' ' || c == '-' || c == '_';
    });
}

}  // namespace

std::string_view name(Language language) {
    switch (language) {
        case Language::cpp: return "cpp";
        case Language::python: return "python";
        case Language::lua: return "lua";
    }
    return "";
}

std::optional<Language> parse_language(std::string_view spelling) {
    std::string text(spelling);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    // The longest name first, so that "c++20" is not read as an unknown "c" with something behind it.
    for (const Spelling& known : kSpellings) {
        if (text.starts_with(known.text) && is_version(std::string_view(text).substr(known.text.size())))
            return known.language;
    }
    return std::nullopt;
}

}  // namespace grader

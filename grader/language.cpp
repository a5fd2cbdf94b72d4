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
    Spelling{"cpp", Language::cpp},       Spelling{"c++", Language::cpp},
    Spelling{"cxx", Language::cpp},       Spelling{"cc", Language::cpp},
    Spelling{"cplusplus", Language::cpp}, Spelling{"g++", Language::cpp},
    Spelling{"gnu++", Language::cpp},     Spelling{"gnu c++", Language::cpp},
    Spelling{"gcc c++", Language::cpp},   Spelling{"hpp", Language::cpp},
    Spelling{"hxx", Language::cpp},       Spelling{"python", Language::python},
    Spelling{"py", Language::python},     Spelling{"cpython", Language::python},
    Spelling{"lua", Language::lua},
};

constexpr std::array kExtensions{
    Spelling{"cpp", Language::cpp},    Spelling{"cc", Language::cpp},
    Spelling{"cxx", Language::cpp},    Spelling{"c++", Language::cpp},
    Spelling{"hpp", Language::cpp},    Spelling{"py", Language::python},
    Spelling{"py3", Language::python}, Spelling{"lua", Language::lua},
};

bool is_version(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isdigit(c) != 0 || c == '.' || c == ' ' || c == '-' || c == '_';
    });
}

std::string lower(std::string_view text) {
    std::string copy(text);
    std::transform(copy.begin(), copy.end(), copy.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return copy;
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::string_view name(Language language) {
    switch (language) {
        case Language::cpp:
            return "cpp";
        case Language::python:
            return "python";
        case Language::lua:
            return "lua";
    }
    return "";
}

std::optional<Language> parse_language(std::string_view spelling) {
    // "C++17 (g++ 12)": what stands in parentheses is a compiler.
    const std::string whole = lower(trim(spelling.substr(0, spelling.find('('))));
    for (const Spelling& known : kSpellings) {
        if (whole.starts_with(known.text) &&
            is_version(std::string_view(whole).substr(known.text.size())))
            return known.language;
    }
    return std::nullopt;
}

std::optional<Language> language_of_extension(std::string_view extension) {
    if (extension.starts_with('.')) extension.remove_prefix(1);
    const std::string text = lower(extension);
    for (const Spelling& known : kExtensions)
        if (known.text == text) return known.language;
    return std::nullopt;
}

std::optional<Language> language_of_tag(std::string_view info) {
    std::string_view tag = trim(info);
    if (tag.starts_with("{")) tag.remove_prefix(1);
    if (tag.starts_with(".")) tag.remove_prefix(1);
    tag = tag.substr(0, tag.find_first_of(" \t,:;={}"));
    const std::string text = lower(tag);
    tag = text;
    for (const std::string_view prefix : {"language-", "lang-"})
        if (tag.starts_with(prefix)) tag.remove_prefix(prefix.size());
    if (const auto language = parse_language(tag)) return language;
    const auto dot = tag.rfind('.');
    return dot == std::string_view::npos ? std::nullopt : language_of_extension(tag.substr(dot));
}

}  // namespace grader

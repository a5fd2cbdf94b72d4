// Reads files and their `expect:` lines.
// Knows the words of an `expect:` line and nothing of what they mean.
// See selftest_corpus.hpp.
#include "tools/selftest_corpus.hpp"

#include "grader/language.hpp"
#include "grader/verdict.hpp"
#include "sandbox/hierarchy.hpp"
#include "sandbox/kernel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace tools {

namespace {

namespace fs = std::filesystem;
using grader::Error;

tl::unexpected<Error> bad(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

bool is_verdict(std::string_view word) {
    for (int i = 0; i < static_cast<int>(grader::Verdict::judge_error); ++i)
        if (grader::code(static_cast<grader::Verdict>(i)) == word) return true;
    return false;
}

/// The text behind a comment's sign; empty if the line is no comment.
std::string_view comment_of(std::string_view line) {
    for (const std::string_view sign : {"// ", "# ", "-- "})
        if (line.starts_with(sign)) return line.substr(sign.size());
    return {};
}

std::string_view expect_words(std::string_view text) {
    constexpr std::string_view kExpect = "expect:";
    for (const std::string_view line : sandbox::split(text, '\n')) {
        const std::string_view comment = comment_of(line);
        if (comment.starts_with(kExpect)) return comment.substr(kExpect.size());
    }
    return {};
}

std::set<std::string> set_of(std::string_view list, char separator) {
    std::set<std::string> words;
    for (const std::string_view word : sandbox::split(list, separator))
        if (!word.empty()) words.emplace(word);
    return words;
}

bool take_word(Attack& attack, std::string_view key, std::string_view value) {
    if (key == "reason")
        attack.reasons = set_of(value, '|');
    else if (key == "flags")
        attack.flags = set_of(value, ',');
    else if (key == "run_flags")
        attack.run_flags = set_of(value, ',');
    else if (key == "run_reason")
        attack.run_reason = value;
    else if (key == "task")
        attack.task = value;
    else
        return key == "uses";
    return true;
}

grader::Result<Attack> load_attack(const fs::path& folder, const fs::path& path) {
    const std::string name =
        path.parent_path().filename().string() + "/" + path.filename().string();
    const std::string text = sandbox::text_of(path);
    auto attack = parse_attack(name, text);
    if (!attack) return attack;
    const std::string part = used_part(text);
    if (part.empty()) return attack;
    const fs::path used = folder / "parts" / (part + path.extension().string());
    const std::string before = sandbox::text_of(used);
    if (before.empty()) return bad(fmt::format("{}: cannot read {}", name, used.string()));
    attack->code = before + attack->code;
    return attack;
}

std::map<std::string, std::string> limits_in(std::string_view text) {
    constexpr std::string_view kIs = " = ";
    std::map<std::string, std::string> limits;
    for (const std::string_view line : sandbox::split(text, '\n')) {
        const std::size_t at = line.find(kIs);
        if (at != std::string_view::npos)
            limits.emplace(line.substr(0, at), line.substr(at + kIs.size()));
    }
    return limits;
}

}  // namespace

std::string used_part(std::string_view text) {
    constexpr std::string_view kUses = "uses=";
    for (const std::string_view word : sandbox::split(expect_words(text), ' '))
        if (word.starts_with(kUses)) return std::string(word.substr(kUses.size()));
    return {};
}

grader::Result<Attack> parse_attack(const std::string& name, const std::string& text) {
    const fs::path path = name;
    Attack attack;
    attack.name = name;
    attack.code = text;
    attack.verdict = path.parent_path().string();
    if (!is_verdict(attack.verdict)) return bad(name + ": its folder is no verdict");
    const auto language = grader::language_of_extension(path.extension().string());
    if (!language) return bad(name + ": an extension of no language");
    attack.language = grader::name(*language);
    attack.tries = comment_of(std::string_view(text).substr(0, text.find('\n')));
    if (attack.tries.empty()) return bad(name + ": its first line does not say what it tries");
    const std::string_view words = expect_words(text);
    if (words.data() == nullptr) return bad(name + ": no `expect:` line");
    for (const std::string_view word : sandbox::split(words, ' ')) {
        if (word.empty()) continue;
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos ||
            !take_word(attack, word.substr(0, equals), word.substr(equals + 1)))
            return bad(fmt::format("{}: unknown word {}", name, word));
    }
    return attack;
}

std::string fill_in(std::string text, const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
        const std::string mark = "@" + name + "@";
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;
             at += value.size())
            text.replace(at, mark.size(), value);
    }
    return text;
}

grader::Result<Corpus> load_corpus(const fs::path& folder, std::string_view only) {
    Corpus corpus;
    std::error_code error;
    for (const auto& verdict : fs::directory_iterator(folder, error)) {
        if (!is_verdict(verdict.path().filename().string())) continue;
        for (const auto& file : fs::directory_iterator(verdict.path(), error)) {
            if (!file.is_regular_file()) continue;
            auto attack = load_attack(folder, file.path());
            if (!attack) return tl::unexpected(std::move(attack).error());
            if (attack->name.find(only) != std::string::npos)
                corpus.attacks.push_back(std::move(*attack));
        }
    }
    if (error)
        return bad(fmt::format("cannot read the corpus {}: {}; name another with --corpus",
                               folder.string(), error.message()));
    if (corpus.attacks.empty()) return bad(fmt::format("no attack in {}", folder.string()));
    std::sort(corpus.attacks.begin(), corpus.attacks.end(),
              [](const Attack& a, const Attack& b) { return a.name < b.name; });
    corpus.limits = limits_in(sandbox::text_of(folder / "limits.txt"));
    return corpus;
}

}  // namespace tools

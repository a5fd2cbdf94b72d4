// C++ and Lua as streams of tokens without comments and strings, Python by its logical lines.
// Does not check that the code would compile.
// See definition.hpp.
#include "grader/definition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace grader {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/// Offset after the next `end` at or after `from`; the end of the text if there is none.
std::size_t after(std::string_view text, std::string_view end, std::size_t from) {
    const auto found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
}

std::size_t line_end(std::string_view text, std::size_t from) {
    return std::min(text.find_first_of("\r\n", from), text.size());
}

/// Offset after a string that starts at `at` with the sign there, `\` escaping; it ends at a line
/// end at the latest.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
    const char sign = text[at++];
    while (at < text.size() && text[at] != sign && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) return text.size();
    return text[at] == sign ? at + 1 : at;
}

std::size_t skip_word(std::string_view text, std::size_t at) {
    while (at < text.size() && is_word(text[at])) ++at;
    return at;
}

/// A word, or one other character; `"` stands for any string. Empty at the end.
class CppTokens {
  public:
    explicit CppTokens(std::string_view code) : code_(code) {}

    std::string_view next() {
        skip_gaps();
        if (at_ >= code_.size()) return {};
        const std::size_t begin = at_;
        if (is_word(code_[at_])) {
            at_ = skip_word(code_, at_);
            // A quote within a number (1'000) and a string behind its prefix belong to the word.
            if (at_ < code_.size() && code_[at_] == '"' && code_[at_ - 1] == 'R')
                return raw_string(begin);
            if (at_ < code_.size() && code_[at_] == '\'' && code_[begin] >= '0' &&
                code_[begin] <= '9')
                ++at_;
            return code_.substr(begin, at_ - begin);
        }
        if (code_[at_] == '"' || code_[at_] == '\'') {
            at_ = skip_quoted(code_, at_);
            return "\"";
        }
        ++at_;
        return code_.substr(begin, 1);
    }

  private:
    void skip_gaps() {
        while (at_ < code_.size()) {
            if (is_space(code_[at_]))
                ++at_;
            else if (code_.substr(at_).starts_with("//"))
                at_ = line_end(code_, at_);
            else if (code_.substr(at_).starts_with("/*"))
                at_ = after(code_, "*/", at_ + 2);
            else if (code_[at_] == '#')
                skip_directive();
            else
                return;
        }
    }

    /// A preprocessor line, with its continuation lines: a macro named so is no definition.
    void skip_directive() {
        do {
            at_ = line_end(code_, at_ + 1);
            if (code_.substr(at_).starts_with("\r\n")) ++at_;
        } while (at_ < code_.size() && continued());
    }
    bool continued() const {
        const std::size_t back = code_[at_] == '\n' && code_[at_ - 1] == '\r' ? 2 : 1;
        return at_ >= back && code_[at_ - back] == '\\';
    }

    std::string_view raw_string(std::size_t begin) {
        // A delimiter has at most 16 characters; anything else is no raw string.
        const auto length = code_.substr(at_ + 1, 17).find('(');
        if (length == std::string_view::npos) return code_.substr(begin, at_ - begin);
        const std::string end = ")" + std::string(code_.substr(at_ + 1, length)) + "\"";
        at_ = after(code_, end, at_ + 1 + length);
        return "\"";
    }

    std::string_view code_;
    std::size_t at_ = 0;
};

/// Follows the tokens of a C++ unit: braces by kind, and the shape `type entry(...) ... {`.
class CppReading {
  public:
    explicit CppReading(std::string_view entry) : entry_(entry) {}

    bool found(std::string_view token) {
        const bool body = header(token);
        braces(token);
        previous_ = token;
        return body;
    }

  private:
    enum class State : unsigned char { none, name, arguments, behind };

    bool header(std::string_view token) {
        switch (state_) {
            case State::none:
                if (token == entry_ && scopes_ == 0 && typed()) state_ = State::name;
                return false;
            case State::name:
                state_ = token == "(" ? State::arguments : State::none;
                parentheses_ = 1;
                return false;
            case State::arguments:
                if (token == "(") ++parentheses_;
                if (token == ")" && --parentheses_ == 0) state_ = State::behind;
                if (token == ";" || token == "{") state_ = State::none;
                return false;
            case State::behind:
                if (token == "{") return true;
                if (token == "return") state_ = State::none;
                // noexcept, a trailing return type, an attribute, `try`
                if (!is_word(token[0]) &&
                    std::string_view("-><:&*()[],").find(token) == std::string_view::npos)
                    state_ = State::none;
                return false;
        }
        return false;
    }

    /// What stands before a name that is being declared: the end of a type.
    bool typed() const {
        if (previous_.empty()) return false;
        if (previous_ == ">" || previous_ == "*" || previous_ == "&" || previous_ == "]")
            return true;
        if (!is_word(previous_[0])) return false;
        // Words of C++ that end no type, and words by which other languages define.
        constexpr std::array<std::string_view, 9> kNoType{"return",   "else", "new", "using", "def",
                                                          "function", "func", "fn",  "class"};
        return std::find(kNoType.begin(), kNoType.end(), previous_) == kNoType.end();
    }

    void braces(std::string_view token) {
        if (token == "namespace" || token == "extern") open_scope_ = true;
        if (token == "{") {
            const bool open = open_scope_ && scopes_ == 0;
            kinds_.push_back(!open);
            if (!open) ++scopes_;
        }
        if (token == "}" && !kinds_.empty()) {
            if (kinds_.back()) --scopes_;
            kinds_.pop_back();
        }
        if (token == "{" || token == "}" || token == ";" || token == "(") open_scope_ = false;
    }

    std::string_view entry_;
    State state_ = State::none;
    std::size_t parentheses_ = 0;
    std::vector<bool>
        kinds_;               // per open brace: does it hide what is inside (class, function, ...)?
    std::size_t scopes_ = 0;  // open braces that do
    bool open_scope_ = false;  // `namespace` or `extern "C"` in this statement
    std::string_view previous_;
};

bool cpp_defines(std::string_view code, std::string_view entry) {
    CppTokens tokens(code);
    CppReading reading(entry);
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next())
        if (reading.found(token)) return true;
    return false;
}

class LuaTokens {
  public:
    explicit LuaTokens(std::string_view code) : code_(code) {}

    std::string_view next() {
        skip_gaps();
        if (at_ >= code_.size()) return {};
        const std::size_t begin = at_;
        if (is_word(code_[at_])) {
            at_ = skip_word(code_, at_);
            return code_.substr(begin, at_ - begin);
        }
        if (code_[at_] == '"' || code_[at_] == '\'') {
            at_ = skip_quoted(code_, at_);
            return code_.substr(begin, at_ - begin);
        }
        if (const std::size_t end = long_bracket(at_)) {
            at_ = end;
            return "\"\"";
        }
        at_ += code_.substr(at_).starts_with("==") ? 2 : 1;
        return code_.substr(begin, at_ - begin);
    }

  private:
    void skip_gaps() {
        while (at_ < code_.size()) {
            if (is_space(code_[at_])) {
                ++at_;
            } else if (code_.substr(at_).starts_with("--")) {
                const std::size_t end = long_bracket(at_ + 2);
                at_ = end ? end : line_end(code_, at_);
            } else {
                return;
            }
        }
    }

    /// Offset after `[[...]]` or `[==[...]==]` at `at`; 0 if none starts there.
    std::size_t long_bracket(std::size_t at) const {
        if (at >= code_.size() || code_[at] != '[') return 0;
        std::size_t open = at + 1;
        while (open < code_.size() && code_[open] == '=') ++open;
        if (open >= code_.size() || code_[open] != '[') return 0;
        const std::string end = "]" + std::string(open - at - 1, '=') + "]";
        return after(code_, end, open + 1);
    }

    std::string_view code_;
    std::size_t at_ = 0;
};

bool lua_defines(std::string_view code, std::string_view entry) {
    LuaTokens tokens(code);
    // The three tokens before the current one, oldest first.
    std::string_view a, b, c;
    bool name_due = false;  // `entry` was seen as a global name; `=` makes it an assignment
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (name_due && token == "=") return true;
        name_due = false;
        if (token == entry) {
            const bool field = c == "." || c == ":";
            const bool of_globals = c == "." && (b == "_G" || b == "_ENV");
            if (c == "function") {
                if (b != "local") return true;
            } else if (of_globals ? a != "function"
                                  : !field && c != "local" && c != "," && c != "{") {
                name_due = true;
            }
            if (of_globals && a == "function") return true;
        }
        a = b;
        b = c;
        c = token;
    }
    return false;
}

/// Python by logical lines: strings and comments skipped, brackets counted, indentation kept.
class PythonReading {
  public:
    PythonReading(std::string_view code, std::string_view entry) : code_(code), entry_(entry) {}

    bool run() {
        while (at_ < code_.size()) {
            const std::size_t indent = read_indent();
            if (at_ >= code_.size()) break;
            if (is_line_end(code_[at_]) || code_[at_] == '#') {
                skip_statement();
                continue;
            }
            while (!scopes_.empty() && scopes_.back() >= indent) scopes_.pop_back();
            if (statement(indent)) return true;
            skip_statement();
        }
        return false;
    }

  private:
    static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

    std::size_t read_indent() {
        std::size_t columns = 0;
        for (; at_ < code_.size(); ++at_) {
            if (code_[at_] == '\t')
                columns += 8 - columns % 8;
            else if (code_[at_] == ' ' || code_[at_] == '\f')
                ++columns;
            else
                break;
        }
        return columns;
    }

    std::string_view word() {
        while (at_ < code_.size() && (code_[at_] == ' ' || code_[at_] == '\t')) ++at_;
        const std::size_t begin = at_;
        at_ = skip_word(code_, at_);
        return code_.substr(begin, at_ - begin);
    }

    /// Reads the head of a statement. True if it binds the entry point for the module.
    bool statement(std::size_t indent) {
        std::string_view first = word();
        if (first == "async") first = word();
        if (first == "def" || first == "class") {
            if (first == "def" && scopes_.empty() && word() == entry_) return true;
            scopes_.push_back(indent);
            return false;
        }
        if (first != entry_ || !scopes_.empty()) return false;
        return assigned();
    }

    /// `= value` or `: type = value` from here on, on this line.
    bool assigned() const {
        const std::string_view line = code_.substr(at_, line_end(code_, at_) - at_);
        std::size_t at = line.find_first_not_of(" \t");
        if (at == std::string_view::npos) return false;
        if (line[at] == ':') at = line.find('=', at);
        if (at == std::string_view::npos || line[at] != '=') return false;
        const std::string_view value = line.substr(at + 1);
        // `predict = function` is Lua; `==` compares.
        const auto begin = value.find_first_not_of(" \t");
        return !value.starts_with('=') && begin != std::string_view::npos &&
               !value.substr(begin).starts_with("function");
    }

    /// To the end of the logical line.
    void skip_statement() {
        std::size_t brackets = 0;
        while (at_ < code_.size()) {
            const char c = code_[at_];
            if (c == '#') {
                at_ = line_end(code_, at_);
            } else if (c == '"' || c == '\'') {
                skip_string();
            } else if (c == '\\') {
                at_ += code_.substr(at_ + 1).starts_with("\r\n") ? 3 : 2;
            } else {
                ++at_;
                if (c == '(' || c == '[' || c == '{') ++brackets;
                if ((c == ')' || c == ']' || c == '}') && brackets > 0) --brackets;
                if (is_line_end(c) && brackets == 0) return;
            }
        }
    }

    void skip_string() {
        const std::string_view three = code_.substr(at_, 3);
        if (three != "\"\"\"" && three != "'''") {
            at_ = skip_quoted(code_, at_);
            return;
        }
        at_ += 3;
        while (at_ < code_.size() && code_.substr(at_, 3) != three)
            at_ += code_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_ + 3, code_.size());
    }

    std::string_view code_;
    std::string_view entry_;
    std::size_t at_ = 0;
    std::vector<std::size_t> scopes_;  // indentation of the functions and classes around
};

bool starts_line(std::string_view text, std::string_view prefix) {
    if (text.starts_with(prefix)) return true;
    const std::string with_end = "\n" + std::string(prefix);
    return text.find(with_end) != std::string_view::npos;
}

}  // namespace

bool defines(std::string_view code, Language language, std::string_view entry) {
    switch (language) {
        case Language::cpp:
            return cpp_defines(code, entry);
        case Language::python:
            return PythonReading(code, entry).run();
        case Language::lua:
            return lua_defines(code, entry);
    }
    return false;
}

bool looks_like_diff(std::string_view text) {
    if (starts_line(text, "<<<<<<< ") && starts_line(text, ">>>>>>> ")) return true;
    if (starts_line(text, "*** Begin Patch")) return true;
    return starts_line(text, "--- ") && starts_line(text, "+++ ") && starts_line(text, "@@");
}

}  // namespace grader

// Reads JSON: one pass for what the library would refuse or misread, then its SAX parser.
// Does not interpret documents. The only user of nlohmann-json.
// See json.hpp.
#include "grader/json.hpp"

#include "grader/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace grader {

namespace {

using Library = nlohmann::json;

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

/// Text as the library takes it. NaN and Infinity have become `null`; `tokens` says which nulls, by
/// their number in the text, so that no string can be mistaken for one.
struct Prepared {
    struct Token {
        std::size_t null_index;
        std::string_view text;
    };
    std::string text;
    std::vector<Token> tokens;
};

/// One walk over the bytes that knows only: inside or outside a string.
class Preparation {
  public:
    Preparation(std::string_view text, const JsonOptions& options, JsonNotes& notes)
        : text_(text), options_(options), notes_(notes) {}

    Result<Prepared> run() {
        if (text_.starts_with("\xEF\xBB\xBF"))
            return wrong("offset 0: a byte order mark before JSON");
        out_.text.reserve(text_.size());
        while (at_ < text_.size()) {
            // The library takes a NUL for the end of the text and would ignore what follows.
            if (text_[at_] == '\0') return wrong(fmt::format("offset {}: a raw NUL byte", at_));
            const bool ok = in_string_ ? string_byte() : outside_byte();
            if (!ok) return wrong(fmt::format("offset {}: {}", at_, problem_));
        }
        return std::move(out_);
    }

  private:
    bool outside_byte() {
        if (text_[at_] == '"') in_string_ = true;
        if (text_.substr(at_).starts_with("null")) {
            ++nulls_;
            return copy(4);
        }
        constexpr std::array<std::string_view, 3> kTokens{"NaN", "Infinity", "-Infinity"};
        for (const std::string_view token : kTokens) {
            if (!options_.non_finite || !text_.substr(at_).starts_with(token)) continue;
            out_.tokens.push_back({nulls_++, token});
            out_.text += "null";
            at_ += token.size();
            return true;
        }
        return character();
    }

    bool string_byte() {
        if (text_[at_] == '"') in_string_ = false;
        if (text_[at_] != '\\') return character();
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != 'u') return copy_escape();
        const auto unit = code_unit(at_);
        if (!unit || *unit < 0xD800 || *unit > 0xDFFF) return copy_escape();
        const auto next = code_unit(at_ + 6);
        if (*unit < 0xDC00 && next && *next >= 0xDC00 && *next <= 0xDFFF) return copy(12);
        if (options_.bad_text == JsonOptions::Bad::refuse) return fail("a lone surrogate");
        ++notes_.replaced_surrogates;
        out_.text += "\\ufffd";
        at_ += 6;
        return true;
    }

    /// Value of a `\uXXXX` at `at`.
    std::optional<std::uint32_t> code_unit(std::size_t at) const {
        if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return std::nullopt;
        std::uint32_t value = 0;
        for (const char c : text_.substr(at + 2, 4)) {
            constexpr std::string_view kHex = "0123456789abcdef";
            const auto digit =
                kHex.find(static_cast<char>(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c));
            if (digit == std::string_view::npos) return std::nullopt;
            value = value * 16 + static_cast<std::uint32_t>(digit);
        }
        return value;
    }

    bool character() {
        const std::size_t length = utf8_length(text_, at_);
        if (length != 0) return copy(length);
        if (options_.bad_text == JsonOptions::Bad::refuse) return fail("a byte that is not UTF-8");
        ++notes_.replaced_bytes;
        out_.text += kReplacement;
        ++at_;
        return true;
    }

    bool copy(std::size_t length) {
        const std::string_view piece = text_.substr(at_, length);
        out_.text += piece;
        at_ += piece.size();
        return true;
    }

    /// The backslash, and what it escapes unless that needs a look of its own (a NUL, a bad byte).
    bool copy_escape() {
        const bool plain = at_ + 1 < text_.size() && text_[at_ + 1] > 0;
        return copy(plain ? 2 : 1);
    }

    bool fail(std::string_view problem) {
        problem_ = problem;
        return false;
    }

    std::string_view text_;
    const JsonOptions& options_;
    JsonNotes& notes_;
    Prepared out_;
    std::size_t at_ = 0;
    std::size_t nulls_ = 0;
    bool in_string_ = false;
    std::string_view problem_;
};

/// Builds the value from the library's events. A `false` ends the parse; `problem` says why.
class Builder {
  public:
    Builder(const JsonOptions& options, const std::vector<Prepared::Token>& tokens)
        : options_(options), tokens_(tokens) {}

    Json value;
    std::string problem;

    bool null() {
        const std::size_t index = nulls_++;
        if (token_ == tokens_.size() || tokens_[token_].null_index != index) return add(Json());
        const std::string_view text = tokens_[token_++].text;
        constexpr auto kInfinity = std::numeric_limits<double>::infinity();
        double number = std::numeric_limits<double>::quiet_NaN();
        if (text == "Infinity") number = kInfinity;
        if (text == "-Infinity") number = -kInfinity;
        return add(Json::Real{number, std::string(text)});
    }
    bool boolean(bool flag) { return add(flag); }
    bool number_integer(std::int64_t number) { return add(number); }
    bool number_unsigned(std::uint64_t number) {
        if (number <= static_cast<std::uint64_t>(INT64_MAX))
            return add(static_cast<std::int64_t>(number));
        return add(Json::Real{static_cast<double>(number), std::to_string(number)});
    }
    bool number_float(double number, const std::string& text) {
        return add(Json::Real{number, text});
    }
    bool string(std::string& text) { return add(std::move(text)); }
    bool binary(Library::binary_t&) { return fail("binary data"); }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool key(std::string& text) {
        open_.back()->members()->push_back({std::move(text), Json()});
        return true;
    }
    bool end_array() {
        open_.pop_back();
        return true;
    }
    bool end_object() {
        // Sorted once per object, so that a million keys cost no square.
        std::vector<std::string_view> keys;
        for (const Json::Member& member : *open_.back()->members()) keys.push_back(member.key);
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice != keys.end()) return fail(fmt::format("key {} appears twice", quoted(*twice)));
        open_.pop_back();
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Library::exception& error) {
        std::string_view what = error.what();
        if (const auto start = what.find(": "); start != std::string_view::npos)
            what.remove_prefix(start + 2);
        return fail(fmt::format("offset {}: {}", position, what.substr(0, 200)));
    }

  private:
    bool fail(std::string what) {
        problem = std::move(what);
        return false;
    }

    Json* place(Json item) {
        if (open_.empty()) {
            value = std::move(item);
            return &value;
        }
        Json& parent = *open_.back();
        if (Json::Array* items = parent.array_items()) {
            items->push_back(std::move(item));
            return &items->back();
        }
        Json& slot = parent.members()->back().value;
        slot = std::move(item);
        return &slot;
    }

    bool add(Json item) {
        if (++values_ > options_.max_values)
            return fail(fmt::format("more than {} values", options_.max_values));
        place(std::move(item));
        return true;
    }

    bool open(Json empty) {
        if (++values_ > options_.max_values)
            return fail(fmt::format("more than {} values", options_.max_values));
        if (open_.size() >= options_.depth)
            return fail(fmt::format("nested deeper than {} levels", options_.depth));
        // Only the last item of an open parent is ever open, so the pointer stays valid.
        open_.push_back(place(std::move(empty)));
        return true;
    }

    const JsonOptions& options_;
    const std::vector<Prepared::Token>& tokens_;
    std::vector<Json*> open_;
    std::size_t values_ = 0;
    std::size_t nulls_ = 0;
    std::size_t token_ = 0;  // the next of tokens_
};

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonOptions& options, JsonNotes* notes) {
    if (text.size() > options.max_bytes)
        return wrong(
            fmt::format("{} bytes of JSON, at most {} are read", text.size(), options.max_bytes));
    JsonNotes ignored;
    const auto prepared = Preparation(text, options, notes ? *notes : ignored).run();
    if (!prepared) return tl::unexpected(prepared.error());
    Builder builder(options, prepared->tokens);
    const bool ok = Library::sax_parse(prepared->text, &builder);
    if (!ok) return wrong(builder.problem.empty() ? "not JSON" : std::move(builder.problem));
    return std::move(builder.value);
}

}  // namespace grader

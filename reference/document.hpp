// Strict reader of our TOML documents: collects every mistake with file, line and key path.
// Does not know what a document means; does not print. The only user of toml++ is document.cpp.
// Used by the readers of workloads, architectures and mappings, and by the grader's task loader.
#pragma once

#include "reference/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

/// Inclusive bounds of a whole number.
struct IntegerRange {
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// Inclusive bounds of a finite number.
struct NumberRange {
    double least = std::numeric_limits<double>::lowest();
    double most = std::numeric_limits<double>::max();
};

/// The form `["M", 4]` of loops and terms.
struct NamedInteger {
    std::string name;
    std::int64_t value = 0;
    bool operator==(const NamedInteger&) const = default;
};

/// The form `["M", 4, 3]`.
struct NamedIntegers {
    std::string name;
    std::vector<std::int64_t> values;
    bool operator==(const NamedIntegers&) const = default;
};

/// A table of a document. Every getter makes its key known; what was never asked for is an unknown
/// key at Document::finish(). A getter that fails records the mistake and returns an empty value,
/// so that a reader goes on and finds all mistakes; the values count only if finish() succeeds. The
/// optional_ getters accept a missing key, but not a value of another type.
class Table {
  public:
    [[nodiscard]] std::string string(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> optional_string(std::string_view key) const;
    /// One of a closed list of words.
    [[nodiscard]] std::string one_of(std::string_view key,
                                     std::span<const std::string_view> words) const;
    [[nodiscard]] std::int64_t integer(std::string_view key, IntegerRange range) const;
    [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view key,
                                                               IntegerRange range) const;
    /// Whole numbers are numbers too; NaN and infinities are refused.
    [[nodiscard]] double number(std::string_view key, NumberRange range) const;
    [[nodiscard]] std::optional<double> optional_number(std::string_view key,
                                                        NumberRange range) const;
    [[nodiscard]] bool boolean(std::string_view key) const;
    [[nodiscard]] std::optional<bool> optional_boolean(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> strings(std::string_view key) const;  // may be empty
    [[nodiscard]] std::optional<std::vector<std::string>> optional_strings(
        std::string_view key) const;
    [[nodiscard]] Table table(std::string_view key) const;
    [[nodiscard]] std::optional<Table> optional_table(std::string_view key) const;
    [[nodiscard]] std::vector<Table> tables(std::string_view key) const;  // at least one
    [[nodiscard]] std::vector<Table> optional_tables(std::string_view key) const;
    /// `[["M", 4], ["N", 2]]`; may be empty.
    [[nodiscard]] std::vector<NamedInteger> pairs(std::string_view key, IntegerRange range) const;
    [[nodiscard]] std::vector<NamedInteger> optional_pairs(std::string_view key,
                                                           IntegerRange range) const;
    /// `[["M", 4], ["N", 4, 3]]`: one or two numbers each; may be empty.
    [[nodiscard]] std::vector<NamedIntegers> one_or_two(std::string_view key,
                                                        IntegerRange range) const;
    /// `[[["P", 2], ["R", 1]], [["C", 1]]]`: a list of lists of pairs.
    [[nodiscard]] std::vector<std::vector<NamedInteger>> pair_lists(std::string_view key,
                                                                    IntegerRange range) const;

    [[nodiscard]] bool has(std::string_view key) const;  // makes the key known
    /// All keys in the order of the document, for tables whose keys are free names. Makes none
    /// known.
    [[nodiscard]] std::vector<std::string> keys() const;
    /// Records a mistake that the reader itself found, at the line of `key` or else of the table.
    void mistake(std::string_view key, std::string_view what) const;

  private:
    friend class Document;
    struct State;
    Table(std::shared_ptr<State> state, std::size_t position)
        : state_(std::move(state)), position_(position) {}
    std::shared_ptr<State> state_;  // of the whole document
    std::size_t position_;          // in the list of opened tables
};

/// One document. Every document of ours begins with `version = 1`.
class Document {
  public:
    /// `name` stands in front of every message.
    /// Errors: unreadable, with the line, where the text is not TOML.
    static Result<Document> parse(std::string_view text, std::string_view name);
    /// The same from a file of at most 16 MiB.
    static Result<Document> read(const std::filesystem::path& path);

    [[nodiscard]] Table root() const { return root_; }
    /// To be called when everything has been asked for: refuses unknown keys in every table that
    /// was opened, and returns all mistakes so far, one a line, in the order of the document.
    /// Errors: unreadable; each line is "file:line: key.path: what is wrong and what would be
    /// right".
    [[nodiscard]] Result<void> finish() const;

  private:
    explicit Document(Table root) : root_(std::move(root)) {}
    Table root_;
};

}  // namespace reference

// One reply or program to be graded, and how a batch of them is read.
// Does not extract code from a reply: extract.hpp does.
// Called by the coordinator (`perfjudge grade`).
#pragma once

#include "grader/error.hpp"
#include "grader/language.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace grader {

/// What identifies a submission within a batch.
struct Key {
    std::string task;
    std::string model;
    std::int64_t sample = 0;
    std::int64_t round = 0;
    auto operator<=>(const Key&) const = default;
};

struct Submission {
    Key key;
    std::optional<Language> language;  // as the line says; none: not said
    std::string text;                  // a reply, or code if `is_code`
    bool is_code = false;              // taken as it is
    std::string finish_reason;         // "" if not said
    std::string where;                 // "file:line" or a path
};

/// A line that has a key but cannot be graded: counts as failed in its denominator.
struct Ungraded {
    Key key;
    std::string where;
    std::string why;
};

/// A line without a readable key: in no denominator, listed, exit code 4.
struct InputProblem {
    std::string where;
    std::string what;
};

struct Batch {
    std::vector<Submission> submissions;  // sorted by key
    std::vector<Ungraded> ungraded;       // sorted by key
    std::vector<InputProblem> problems;   // in input order
    std::uint64_t lines_read = 0;
    std::uint64_t duplicates = 0;  // equal key, equal bytes: counted once
    std::uint64_t replaced = 0;    // bad bytes and lone surrogates that were read as U+FFFD
};

/// Reads JSON-lines files (also .gz, .zst) and directories `model/task/sample.ext`.
/// Errors: bad_input where a path cannot be opened at all or nothing at all was found in it; every
/// smaller fault is in the Batch. The result does not depend on the order of lines and inputs, but
/// for `problems`. Lines of a task that is not known are problems: they are in no denominator.
Result<Batch> read_submissions(std::span<const std::filesystem::path> inputs,
                               const std::set<std::string>& known_tasks);

}  // namespace grader

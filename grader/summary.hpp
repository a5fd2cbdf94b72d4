// Finished verdicts to numbers: per task and model, per model, per batch.
// Formats nothing: report.hpp does. Void results (JE) are in no rate; their number is beside it.
// Called by grade.cpp at the end of a batch.
#pragma once

#include "grader/statistics.hpp"
#include "grader/submission.hpp"
#include "grader/verdict.hpp"
#include "grader/verdict_line.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

inline constexpr std::size_t kVerdicts = static_cast<std::size_t>(Verdict::judge_error) + 1;

/// A task and a model. The denominator is the number of distinct keys, graded or not, and of those
/// that --samples misses.
struct Cell {
    std::string task, model;
    std::uint64_t samples = 0;
    std::array<std::uint64_t, kVerdicts> by_verdict{};  // index: Verdict
    std::uint64_t ungraded = 0;                         // counted as failed
    std::uint64_t missing = 0;                          // counted as failed
    std::vector<Verdict> first_verdicts;                // in the order of keys; at most kListed
    std::uint64_t slowest_cpu_us = 0;                   // of a case
    static constexpr std::size_t kListed = 4;

    [[nodiscard]] std::uint64_t passed() const { return by_verdict[0]; }
    [[nodiscard]] std::uint64_t judge_errors() const { return by_verdict[kVerdicts - 1]; }
    /// Without void results.
    [[nodiscard]] Tally tally() const { return {passed(), samples - judge_errors()}; }
};

struct AtK {
    std::uint64_t k = 0;
    double pass_at_k = 0;
    double pass_power_k = 0;
};

struct ModelRow {
    std::string model;
    std::uint64_t samples = 0, passed = 0, judge_errors = 0, ungraded = 0, missing = 0;
    std::uint64_t unstable = 0, likely_memorised = 0, other_policies_differ = 0;
    std::optional<MeanRate> rate;
    Interval bounds;        // of the mean rate: every JE failed, every JE passed
    std::vector<AtK> at_k;  // every k up to the smallest number of samples of a task, at most 10
};

/// A submission that is not accepted, for the list of a report.
struct Failure {
    Key key;
    Grade grade;
};

struct TaskRow {
    std::string id;
    std::string hidden_sha256;
};

/// What a summary needs beside the verdicts.
struct BatchFacts {
    std::vector<TaskRow> tasks;      // sorted by id
    std::vector<Ungraded> ungraded;  // sorted by key
    std::vector<Key> missing;        // sorted; --samples
    std::vector<InputProblem> problems;
    std::uint64_t duplicates = 0;
    std::uint32_t repeats = 1;
    bool public_seed = false;
    std::string mode;  // of the jail; "" if nothing ran
};

struct Summary {
    BatchFacts facts;
    std::vector<std::string> models;  // sorted
    std::vector<Cell> cells;          // sorted by task, then model; absent: nothing was asked
    std::vector<ModelRow> rows;       // as `models`
    std::vector<Failure> failures;    // in the order of keys; at most kMaxFailures
    std::uint64_t submissions = 0, accepted = 0, judge_errors = 0, not_accepted = 0;
    static constexpr std::size_t kMaxFailures = 1000;
};

/// `entries` sorted by key.
Summary summarise(const std::vector<Entry>& entries, BatchFacts facts);

/// Keys that `samples` replies to each task of the batch, by each of its models, would have and
/// that are absent: whole samples, at round 0. Errors: bad_input where a model has more samples.
Result<std::vector<Key>> missing_samples(const std::vector<Key>& keys, std::uint64_t samples);

}  // namespace grader

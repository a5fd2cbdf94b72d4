// The finished verdict of one submission, and its line in verdicts.jsonl.
// Carries nothing that depends on a clock, on the order of work or on the number of workers.
// Called by the coordinator when all repeats of a submission are in.
#pragma once

#include "grader/aggregate.hpp"
#include "grader/language.hpp"
#include "grader/record.hpp"
#include "grader/submission.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// One submission, finished.
struct Entry {
    Key key;
    std::optional<Language> language;
    std::string source_sha256;  // "" without code
    Grade grade;
    std::uint64_t slowest_cpu_us = 0;  // of its cases
    bool other_policies_differ = false;
};

/// The grade of a submission from its repeats, in order. A repeat without cases (CE, SV
/// breaks_worker, JE) decides alone.
Grade grade_of(const std::vector<Repeat>& repeats, const CaseTotals& totals);

/// Whether the repeats need no further run: all `wanted` have cases, or one ended without cases by
/// the submission's own doing.
bool is_complete(const std::vector<Repeat>& repeats, std::uint32_t wanted);

/// One line of verdicts.jsonl, without its newline. `repeats` is what the batch asked for.
std::string verdict_line(const Entry& entry, std::uint32_t repeats);

}  // namespace grader

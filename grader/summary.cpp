// Counting, in one pass over sorted entries.
// The formulas are statistics.cpp's.
// See summary.hpp.
#include "grader/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace grader {

namespace {

constexpr std::uint64_t kMostK = 10;

using CellMap = std::map<std::pair<std::string, std::string>, Cell>;

Cell& cell_of(CellMap& cells, const Key& key) {
    Cell& cell = cells[{key.task, key.model}];
    if (cell.samples == 0) {
        cell.task = key.task;
        cell.model = key.model;
    }
    ++cell.samples;
    return cell;
}

void count_entry(const Entry& entry, CellMap& cells, std::map<std::string, ModelRow>& rows) {
    const Verdict verdict = entry.grade.judgement.verdict;
    Cell& cell = cell_of(cells, entry.key);
    ++cell.by_verdict[static_cast<std::size_t>(verdict)];
    if (cell.first_verdicts.size() < Cell::kListed) cell.first_verdicts.push_back(verdict);
    cell.slowest_cpu_us = std::max(cell.slowest_cpu_us, entry.slowest_cpu_us);
    ModelRow& row = rows[entry.key.model];
    if (has(entry.grade.flags, Flag::unstable)) ++row.unstable;
    if (has(entry.grade.flags, Flag::likely_memorised)) ++row.likely_memorised;
    if (entry.other_policies_differ) ++row.other_policies_differ;
}

std::vector<AtK> all_at_k(const std::vector<Tally>& tallies) {
    std::vector<AtK> all;
    for (std::uint64_t k = 1; k <= kMostK; ++k) {
        const std::optional<double> at_k = mean_pass_at_k(tallies, k);
        const std::optional<double> power_k = mean_pass_power_k(tallies, k);
        if (!at_k || !power_k) break;
        all.push_back({k, *at_k, *power_k});
    }
    return all;
}

/// Mean of the task rates if every JE counted as `passed` or not.
double mean_with_voids(const std::vector<Cell>& cells, bool passed) {
    double sum = 0;
    for (const Cell& cell : cells) {
        const std::uint64_t good = cell.passed() + (passed ? cell.judge_errors() : 0);
        sum += static_cast<double>(good) / static_cast<double>(cell.samples);
    }
    return cells.empty() ? 0 : sum / static_cast<double>(cells.size());
}

void fill_row(const std::vector<Cell>& cells, ModelRow& row) {
    std::vector<Tally> tallies;
    for (const Cell& cell : cells) {
        row.samples += cell.samples;
        row.passed += cell.passed();
        row.judge_errors += cell.judge_errors();
        row.ungraded += cell.ungraded;
        row.missing += cell.missing;
        if (cell.tally().samples > 0) tallies.push_back(cell.tally());
    }
    row.rate = mean_rate(tallies);
    row.at_k = all_at_k(tallies);
    row.bounds = {mean_with_voids(cells, false), mean_with_voids(cells, true)};
}

}  // namespace

Summary summarise(const std::vector<Entry>& entries, BatchFacts facts) {
    CellMap cells;
    std::map<std::string, ModelRow> rows;
    Summary summary;
    for (const Entry& entry : entries) {
        count_entry(entry, cells, rows);
        const Verdict verdict = entry.grade.judgement.verdict;
        if (verdict == Verdict::accepted) continue;
        if (verdict == Verdict::judge_error) ++summary.judge_errors;
        ++summary.not_accepted;
        if (summary.failures.size() < Summary::kMaxFailures)
            summary.failures.push_back({entry.key, entry.grade});
    }
    for (const Ungraded& line : facts.ungraded) ++cell_of(cells, line.key).ungraded;
    for (const Key& key : facts.missing) ++cell_of(cells, key).missing;

    std::map<std::string, std::vector<Cell>> by_model;
    for (auto& [name, cell] : cells) {
        by_model[cell.model].push_back(cell);
        summary.cells.push_back(std::move(cell));
    }
    for (auto& [model, own_cells] : by_model) {
        ModelRow& row = rows[model];
        row.model = model;
        fill_row(own_cells, row);
        summary.models.push_back(model);
        summary.rows.push_back(row);
    }
    summary.submissions = entries.size();
    summary.accepted = entries.size() - summary.not_accepted;
    summary.facts = std::move(facts);
    return summary;
}

Result<std::vector<Key>> missing_samples(const std::vector<Key>& keys, std::uint64_t samples) {
    std::set<std::string> tasks, models;
    std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> present;
    for (const Key& key : keys) {
        tasks.insert(key.task);
        models.insert(key.model);
        present[{key.task, key.model}].insert(key.sample);
    }
    std::vector<Key> missing;
    for (const std::string& task : tasks) {
        for (const std::string& model : models) {
            const std::set<std::int64_t>& there = present[{task, model}];
            if (there.size() > samples)
                return tl::unexpected(
                    Error{Error::Code::bad_input,
                          fmt::format("model {} has {} samples of task {}, --samples says {}",
                                      model, there.size(), task, samples)});
            std::uint64_t lacking = samples - there.size();
            for (std::int64_t sample = 0; lacking > 0; ++sample) {
                if (there.contains(sample)) continue;
                missing.push_back({task, model, sample, 0});
                --lacking;
            }
        }
    }
    std::sort(missing.begin(), missing.end());
    return missing;
}

}  // namespace grader

// The table of `perfjudge grade`: plain text, columns as wide as their contents.
// Colour is added last, so that it never changes a width.
// See report.hpp.
#include "grader/report.hpp"
#include "reference/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace grader {

namespace {

constexpr std::size_t kMaxListed = 40;  // failures, ungraded lines, missing samples: each
constexpr std::string_view kGreen = "\x1b[32m", kRed = "\x1b[31m", kYellow = "\x1b[33m",
                           kBold = "\x1b[1m", kPlain = "\x1b[0m";

struct Text {
    std::string text;
    std::string_view colour;  // "" for none
};
using Row = std::vector<Text>;

/// Names come from outside: no control bytes reach a terminal, and none is endless.
std::string clean(std::string_view text) {
    constexpr std::size_t kMost = 60;
    return reference::printable(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

/// A place in a file: its end, with the line, says more than its beginning.
std::string clean_place(std::string_view place) {
    constexpr std::size_t kMost = 60;
    if (place.size() <= kMost) return clean(place);
    return "..." + clean(place.substr(place.size() - kMost));
}

/// Columns of a terminal that UTF-8 text takes, near enough: code points.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string lay_out(const std::vector<Row>& rows, bool colour) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i].text));
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool coloured = colour && !row[i].colour.empty();
            line +=
                coloured ? fmt::format("{}{}{}", row[i].colour, row[i].text, kPlain) : row[i].text;
            if (i + 1 < row.size()) line.append(widths[i] - width(row[i].text) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string percent(double rate) {
    return fmt::format("{:.1f}%", 100 * rate);
}

std::string time_text(std::uint64_t microseconds) {
    if (microseconds < 10'000)
        return fmt::format("{:.1f}ms", static_cast<double>(microseconds) / 1e3);
    if (microseconds < 1'000'000) return fmt::format("{}ms", microseconds / 1000);
    return fmt::format("{:.1f}s", static_cast<double>(microseconds) / 1e6);
}

/// "AC WA" where every sample fits, else "AC:12 WA:7".
std::string letters(const Cell& cell) {
    std::string text;
    const std::uint64_t graded = cell.samples - cell.ungraded - cell.missing;
    if (graded == cell.first_verdicts.size()) {
        for (Verdict verdict : cell.first_verdicts) text += fmt::format(" {}", code(verdict));
    } else {
        for (std::size_t i = 0; i < kVerdicts; ++i)
            if (cell.by_verdict[i] > 0)
                text += fmt::format(" {}:{}", code(static_cast<Verdict>(i)), cell.by_verdict[i]);
    }
    if (cell.ungraded > 0) text += fmt::format(" ungraded:{}", cell.ungraded);
    if (cell.missing > 0) text += fmt::format(" missing:{}", cell.missing);
    return text;
}

Text cell_text(const Cell& cell) {
    std::string text = fmt::format("{}/{}{}", cell.passed(), cell.samples, letters(cell));
    if (cell.slowest_cpu_us > 0) text += fmt::format(" {}", time_text(cell.slowest_cpu_us));
    std::string_view colour = kYellow;
    if (cell.passed() == cell.samples) colour = kGreen;
    if (cell.passed() == 0) colour = kRed;
    return {std::move(text), colour};
}

std::string cells_table(const Summary& summary, bool colour) {
    std::vector<Row> rows;
    Row head{{"task", kBold}};
    for (const std::string& model : summary.models) head.push_back({clean(model), kBold});
    rows.push_back(std::move(head));
    for (auto cell = summary.cells.begin(); cell != summary.cells.end();) {
        const std::string& task = cell->task;
        Row row{{clean(task), ""}};
        for (const std::string& model : summary.models) {
            const bool here =
                cell != summary.cells.end() && cell->task == task && cell->model == model;
            row.push_back(here ? cell_text(*cell) : Text{"-", ""});
            if (here) ++cell;
        }
        rows.push_back(std::move(row));
    }
    return lay_out(rows, colour);
}

Row model_row(const ModelRow& row, std::size_t columns_of_k) {
    const bool has_interval = row.rate && row.rate->interval;
    Row texts{{clean(row.model), ""},
              {fmt::format("{}/{}", row.passed, row.samples - row.judge_errors), ""},
              {row.rate ? percent(row.rate->mean) : "-", kBold},
              {has_interval ? fmt::format("{} to {}", percent(row.rate->interval->low),
                                          percent(row.rate->interval->high))
                            : "-",
               ""}};
    for (std::size_t i = 0; i < columns_of_k; ++i) {
        const bool here = i < row.at_k.size();
        texts.push_back({here ? percent(row.at_k[i].pass_at_k) : "-", ""});
        if (i > 0) texts.push_back({here ? percent(row.at_k[i].pass_power_k) : "-", ""});
    }
    texts.push_back({fmt::format("{}", row.judge_errors), row.judge_errors > 0 ? kRed : ""});
    if (row.judge_errors > 0)
        texts.push_back({fmt::format("with JE failed {}, passed {}", percent(row.bounds.low),
                                     percent(row.bounds.high)),
                         ""});
    return texts;
}

std::string models_table(const Summary& summary, bool colour) {
    std::size_t columns_of_k = 0;
    for (const ModelRow& row : summary.rows)
        columns_of_k = std::max(columns_of_k, std::min<std::size_t>(row.at_k.size(), 4));
    Row head{{"model", kBold}, {"passed", kBold}, {"mean rate", kBold}, {"95% interval", kBold}};
    for (std::size_t i = 0; i < columns_of_k; ++i) {
        head.push_back({fmt::format("pass@{}", i + 1), kBold});
        if (i > 0) head.push_back({fmt::format("pass^{}", i + 1), kBold});
    }
    head.push_back({"JE", kBold});
    std::vector<Row> rows{std::move(head)};
    for (const ModelRow& row : summary.rows) rows.push_back(model_row(row, columns_of_k));
    return lay_out(rows, colour);
}

std::string key_text(const Key& key) {
    std::string text = fmt::format("{} {}#{}", clean(key.model), clean(key.task), key.sample);
    return key.round == 0 ? text : fmt::format("{}#{}", text, key.round);
}

std::string first_text(const Grade& grade, bool show_hidden) {
    if (!grade.first) return clean(grade.detail);
    const FirstFailure& first = *grade.first;
    const bool numbers = first.visible || show_hidden;
    std::string text =
        fmt::format("case {} ({})", first.index, first.visible ? "visible" : "hidden");
    if (numbers && !first.detail.empty()) text += fmt::format(" {}", clean(first.detail));
    if (!first.mismatch) return text;
    const Mismatch& mismatch = *first.mismatch;
    text += fmt::format(" {}", clean(mismatch.quantity));
    if (!mismatch.hint.empty()) text += fmt::format(" [{}]", mismatch.hint);
    if (numbers)
        text += fmt::format(" expected {}, got {}", mismatch.expected,
                            mismatch.actual.empty() ? "nothing" : clean(mismatch.actual));
    return text;
}

Row failure_row(const Failure& failure, bool show_hidden) {
    const Grade& grade = failure.grade;
    std::string flags;
    for (Flag flag : all_flags())
        if (has(grade.flags, flag))
            flags += fmt::format("{}{}", flags.empty() ? "" : ",", name(flag));
    const bool ran = grade.all.run > 0;
    const std::string counts =
        ran ? fmt::format("visible {}/{}  hidden {}/{}", grade.visible.passed, grade.visible.total,
                          grade.hidden.passed, grade.hidden.total)
            : "";
    return {{key_text(failure.key), ""},
            {std::string(code(grade.judgement.verdict)), kRed},
            {std::string(name(grade.judgement.reason)), ""},
            {counts, ""},
            {flags, kYellow},
            {first_text(grade, show_hidden), ""}};
}

std::string and_more(std::size_t total, std::string_view where) {
    if (total <= kMaxListed) return {};
    return fmt::format("and {} more: see {}\n", total - kMaxListed, where);
}

std::string failures_list(const Summary& summary, const ReportOptions& options) {
    if (summary.failures.empty()) return {};
    std::vector<Row> rows;
    for (const Failure& failure : summary.failures)
        if (rows.size() < kMaxListed) rows.push_back(failure_row(failure, options.show_hidden));
    return fmt::format("\nnot accepted: {}\n{}{}", summary.not_accepted,
                       lay_out(rows, options.colour),
                       and_more(summary.not_accepted, "verdicts.jsonl"));
}

std::string inputs_list(const BatchFacts& facts) {
    std::string text;
    const auto list = [&text](std::string_view title, const auto& items, const auto& describe) {
        if (items.empty()) return;
        text += fmt::format("\n{}: {}\n", title, items.size());
        for (std::size_t i = 0; i < std::min(items.size(), kMaxListed); ++i)
            text += describe(items[i]) + '\n';
        text += and_more(items.size(), "summary.json");
    };
    list("not graded, counted as failed", facts.ungraded, [](const Ungraded& line) {
        return fmt::format("{}  {}: {}", key_text(line.key), clean_place(line.where), line.why);
    });
    list("missing samples, counted as failed", facts.missing, key_text);
    list("input lines without a readable key, in no rate", facts.problems,
         [](const InputProblem& problem) {
             return fmt::format("{}: {}", clean_place(problem.where), problem.what);
         });
    return text;
}

}  // namespace

std::string report_table(const Summary& summary, const ReportOptions& options) {
    std::string text = cells_table(summary, options.colour);
    text += "(passed/samples, verdicts in order of samples, CPU time of the slowest case)\n\n";
    text += models_table(summary, options.colour);
    text += failures_list(summary, options);
    text += inputs_list(summary.facts);
    text += summary.facts.public_seed
                ? "\nhidden cases: from the public development seed; give --hidden-seed FILE for "
                  "results that nobody could prepare for\n"
                : "\nhidden cases: from the given seed\n";
    return text;
}

}  // namespace grader

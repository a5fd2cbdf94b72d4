// Rates of evaluate(), of the reader and of a whole batch.
// Asserts nothing.
// See bench_model.hpp.
#include "tools/bench_model.hpp"

#include "grader/line_reader.hpp"
#include "reference/evaluate.hpp"
#include "reference/timeloop_yaml.hpp"
#include "tools/model_batch.hpp"
#include "tools/model_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tools::bench {

namespace {

constexpr double kShortestUs = 20'000;  // of one sample: long enough for the clock
constexpr std::size_t kMaxLine = std::size_t{1} << 24U;

/// Runs `once` (which returns how many things it did) again and again; prints things in a second.
template <class Once>
void rate(const Plan& plan, const std::string& name, const std::string& goal, Once once) {
    if (name.find(plan.wanted) == std::string::npos) return;
    std::vector<double> rates;
    for (int i = 0; i < plan.rounds; ++i) {
        std::size_t done = 0;
        const double start = now_us();
        double spent = 0;
        while ((spent = now_us() - start) < kShortestUs) done += once();
        rates.push_back(static_cast<double>(done) / spent * 1e6);
    }
    std::sort(rates.begin(), rates.end());
    fmt::print("{:<58} {:>10.0f} {:>10.0f} {:>10.0f} {:>5} {:>22}\n", name, rates[rates.size() / 2],
               rates[rates.size() / 10], rates[rates.size() * 9 / 10], plan.rounds, goal);
    (void)std::fflush(stdout);
}

std::vector<std::string> record_lines(const std::string& file) {
    grader::LineReader reader(need(grader::open_bytes("tests/data/timeloop/" + file)), kMaxLine);
    std::vector<std::string> lines;
    for (grader::Line line; need(reader.next(line));) lines.push_back(line.text);
    return lines;
}

std::vector<reference::Case> cases(const std::vector<std::string>& lines) {
    std::vector<reference::Case> out;
    for (const std::string& line : lines)
        out.push_back(need(reference::read_timeloop_record(line, "record").input));
    return out;
}

void evaluated(const Plan& plan, const std::string& name, const std::string& goal,
               const std::vector<reference::Case>& inputs, const reference::Semantics& semantics) {
    rate(plan, name, goal, [&] {
        for (const auto& [workload, architecture, mapping] : inputs)
            (void)need(reference::evaluate(workload, architecture, mapping, semantics));
        return inputs.size();
    });
}

std::vector<reference::Case> example(const std::string& file) {
    const std::string path = "docs/examples/" + file;
    return {need(load_case({path, path, path}))};
}

}  // namespace

void bench_model(const Plan& plan) {
    fmt::print("{:<58} {:>10} {:>10} {:>10} {:>5} {:>22}\n", "a second, one core", "median", "p10",
               "p90", "times", "goal");
    using reference::kExact;
    using reference::kTimeloop;
    evaluated(plan, "model: GEMM, two levels, exact", ">= 1000000", example("gemm-ws.yaml"),
              kExact);
    evaluated(plan, "model: GEMM, two levels, timeloop", "", example("gemm-ws.yaml"), kTimeloop);
    const auto conv = example("conv2d-chip.yaml");
    evaluated(plan, "model: conv2d, three levels, spatial, exact", ">= 100000", conv, kExact);
    evaluated(plan, "model: conv2d, three levels, spatial, timeloop", "", conv, kTimeloop);
    const auto realistic = record_lines("realistic.jsonl.gz");
    const auto inputs = cases(realistic);
    evaluated(plan, "model: realistic records, timeloop", ">= 100 x 1500..2500", inputs, kTimeloop);
    evaluated(plan, "model: realistic records, exact", "", inputs, kExact);
    rate(plan, "model: realistic records, read", ">= 1000",
         [&] { return cases(realistic).size(); });
    rate(plan, "model: realistic records, read, counted, written", "", [&] {
        bool failed = false;
        for (std::size_t i = 0; i < realistic.size(); ++i)
            (void)answer_line(realistic[i], "batch", i + 1, {"", kTimeloop}, failed);
        return realistic.size();
    });
    rate(plan, "model: a YAML file, read", ">= 1000",
         [&] { return example("conv2d-chip.yaml").size(); });
}

}  // namespace tools::bench

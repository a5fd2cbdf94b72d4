// The baseline's protocol, medians and the table.
// Asserts nothing: machines are noisy, so judging is left to people.
// See bench_support.hpp.
#include "tools/bench_support.hpp"

#include "sandbox/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace tools::bench {

double now_us() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

void fail(const std::string& what) {
    (void)std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(3);  // NOLINT(concurrency-mt-unsafe): nothing else is worth saving
}

Bare::Bare(const std::filesystem::path& program) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) fail("no pipes");
    commands_.reset(in[1]);
    answers_.reset(out[0]);
    const sandbox::UniqueFd theirs_in(in[0]);
    const sandbox::UniqueFd theirs_out(out[1]);
    child_ = need(sandbox::launch({program, {}, {}, {{0, in[0]}, {1, out[1]}, {2, 2}}}));
}

double Bare::try_run(int times, const std::string& input, const std::vector<std::string>& words) {
    std::string line = std::to_string(times) + "\t" + input;
    for (const std::string& word : words) line += "\t" + word;
    line += "\n";
    if (::write(commands_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        fail("bare process died");
    std::string answer;
    for (char c = 0; ::read(answers_.get(), &c, 1) == 1 && c != '\n';) answer += c;
    if (answer.empty()) fail("bare process died");
    return static_cast<double>(std::atoll(answer.c_str())) / 1e3;
}

double Bare::run(int times, const std::string& input, const std::vector<std::string>& words) {
    const double us = try_run(times, input, words);
    if (us < 0) fail(words.front() + " did not end with 0");
    return us;
}

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

bool is_wanted(const Plan& plan, const std::string& name) {
    return name.find(plan.wanted) != std::string::npos;
}

}  // namespace

void print_head() {
    fmt::print("{:<58} {:>6} {:>6} {:>6} {:>10} {:>10} {:>5} {:>8}\n", "ratio of", "median", "p10",
               "p90", "ours us", "bare us", "pairs", "goal");
}

void pair(const Plan& plan, const std::string& name, const std::string& goal, const Measure& ours,
          const Measure& bare) {
    if (!is_wanted(plan, name)) return;
    std::vector<double> ratios, ours_us, bare_us;
    (void)ours();
    (void)bare();
    for (int i = 0; i < plan.rounds; ++i) {
        const double b = bare();
        const double o = ours();
        ratios.push_back(o / b);
        ours_us.push_back(o);
        bare_us.push_back(b);
    }
    std::vector<double> sorted = ratios;
    std::sort(sorted.begin(), sorted.end());
    fmt::print("{:<58} {:>6.2f} {:>6.2f} {:>6.2f} {:>10.0f} {:>10.0f} {:>5} {:>8}\n", name,
               median(ratios), sorted[sorted.size() / 10], sorted[sorted.size() * 9 / 10],
               median(ours_us), median(bare_us), plan.rounds, goal);
    (void)std::fflush(stdout);
}

void note(const Plan& plan, const std::string& name, const std::string& text) {
    if (is_wanted(plan, name)) fmt::print("{:<58} {}\n", name, text);
    (void)std::fflush(stdout);
}

}  // namespace tools::bench

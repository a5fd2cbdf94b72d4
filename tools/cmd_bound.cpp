// `perfjudge bound`: the options, the search, the answer.
// Searches nothing itself: reference/bound.hpp does.
// See cmd_bound.hpp.
#include "tools/cmd_bound.hpp"

#include "reference/bound.hpp"
#include "reference/case_toml.hpp"
#include "tools/bound_report.hpp"
#include "tools/exit_code.hpp"
#include "tools/log.hpp"
#include "tools/model_input.hpp"
#include "tools/output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tools {

namespace {

struct Options {
    std::string problem, svg, toml;
    std::optional<std::int64_t> buffer_words;
    bool curve = false, keep_all = false, single_loops = false, json = false;
};

constexpr const char* kFooter = R"(
Examples:
  perfjudge bound --problem gemm.toml                            every step of the curve
  perfjudge bound --problem conv.yaml --curve --svg curve.svg    the same, drawn
  perfjudge bound --problem gemm.toml --buffer-words 4096 --toml best.toml
  perfjudge model --problem best.toml --architecture best.toml --mapping best.toml

Traffic is DRAM reads + updates of all tensors, counted as `perfjudge model` does by default; the
mapping of every line reaches it. docs/bound.md says which mappings are searched, when the answer
is proven, and lists the fields of --json.

Exit codes: 0 finished; 1 no mapping fits into so many words; 2 bad usage or unusable input.)";

ExitCode refused(std::string_view what, ExitCode code = ExitCode::unusable) {
    log_error(what);
    return code;
}

/// CLI11 takes what is too large for the largest number. Empty: right.
std::string word_count(const std::string& text) {
    std::int64_t words = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), words);
    if (code == std::errc() && end == text.data() + text.size() && words >= 0) return {};
    return fmt::format("'{}' is not right here; needs a whole number from 0 to 2^63-1", text);
}

reference::Result<reference::Bound> searched(const reference::Workload& workload,
                                             reference::BoundOptions options) {
    ProgressLine line;
    std::int64_t shown = -1;
    options.progress = [&](std::int64_t done, std::int64_t all) {
        const auto percent =
            static_cast<std::int64_t>(100.0 * static_cast<double>(done) / static_cast<double>(all));
        if (percent != shown) line.show(fmt::format("searching: {} % of the tiles", percent));
        shown = percent;
    };
    return reference::bound(workload, options);
}

ExitCode answer(const BoundReport& report, const Options& options) {
    if (!options.svg.empty() && !write_whole(options.svg, bound_svg(report)))
        return refused(fmt::format("'{}' cannot be written", options.svg));
    if (!options.toml.empty() &&
        !write_whole(options.toml, reference::case_toml(report.bound.points.back().best)))
        return refused(fmt::format("'{}' cannot be written", options.toml));
    const std::string text = options.json ? bound_json(report) + '\n' : bound_table(report);
    if (write_whole(stdout, text)) return ExitCode::finished;
    return refused("standard output cannot be written");
}

ExitCode run(const Options& options) {
    (void)std::signal(SIGPIPE, SIG_IGN);
    const auto workload = load_problem(options.problem);
    if (!workload) return refused(workload.error().what);
    reference::BoundOptions search;
    search.buffer_words = options.buffer_words;
    search.bypass = !options.keep_all;
    search.orders.repeated_loops = !options.single_loops;
    const auto found = searched(*workload, search);
    if (!found) {
        const bool small = found.error().code == reference::Error::Code::does_not_fit;
        return refused(fmt::format("{}: {}", options.problem, found.error().what),
                       small ? ExitCode::not_accepted : ExitCode::unusable);
    }
    return answer({*workload, search, *found}, options);
}

}  // namespace

void add_bound(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* bound = app.add_subcommand(
        "bound", "The least off-chip traffic of any mapping, for each buffer size");
    bound->add_option("--problem", options->problem, "File of the workload (TOML, or Timeloop's)")
        ->required();
    auto* words =
        bound->add_option("--buffer-words", options->buffer_words, "Only for a buffer of so many")
            ->check(CLI::Validator(word_count, ""));
    auto* curve = bound->add_flag("--curve", options->curve,
                                  "For every buffer size at which the traffic falls (the default)");
    bound->add_flag("--keep-all", options->keep_all, "No tensor may bypass the buffer");
    bound->add_flag("--single-loops", options->single_loops,
                    "One loop per dimension and level, as in Timeloop's mappings");
    bound->add_flag("--json", options->json, "One JSON object instead of a table");
    auto* svg = bound->add_option("--svg", options->svg, "SVG file to draw the curve in");
    auto* toml = bound->add_option("--toml", options->toml,
                                   "File for problem, chip and best mapping, for perfjudge model");
    words->excludes(curve);
    words->excludes(svg);
    toml->needs(words);
    bound->footer(kFooter);
    bound->callback([options, &exit_code] { exit_code = number(run(*options)); });
}

}  // namespace tools

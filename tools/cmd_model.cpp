// `perfjudge model`: the options, the inputs, the answer.
// Counts nothing itself: reference/ does.
// See cmd_model.hpp.
#include "tools/cmd_model.hpp"

#include "reference/document.hpp"
#include "reference/explain.hpp"
#include "reference/tiles.hpp"
#include "tools/exit_code.hpp"
#include "tools/log.hpp"
#include "tools/model_batch.hpp"
#include "tools/model_input.hpp"
#include "tools/model_plot.hpp"
#include "tools/model_result.hpp"
#include "tools/output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

namespace tools {

namespace {

struct Options {
    std::string problem, architecture, mapping, batch, energy, plot;
    std::string semantics = "exact";
    bool links = false, no_links = false, extrapolation = false, no_extrapolation = false;
    bool ignore_capacity = false, json = false, explain = false;
};

constexpr const char* kFooter = R"(
Examples:
  perfjudge model --problem gemm.toml --architecture gemm.toml --mapping gemm.toml
  perfjudge model --problem conv.yaml --architecture chip.yaml --mapping map.yaml --semantics timeloop
  perfjudge model --problem g.toml --architecture g.toml --mapping g.toml --explain | less
  perfjudge model --batch records.jsonl.gz --semantics timeloop > results.jsonl

Files are ours (TOML, docs/model-files.md) or Timeloop's (YAML, JSON); kinds may be mixed, and one
file may be all three. docs/reference-model.md says what is counted, and lists the fields of --json.

Exit codes: 0 finished; 1 the mapping does not fit; 2 bad usage or unusable input; 4 a batch is
finished, but some of its lines got an error instead of a result.)";

ExitCode refused(std::string_view what, ExitCode code = ExitCode::unusable) {
    log_error(what);
    return code;
}

reference::Semantics semantics_of(const Options& options) {
    reference::Semantics semantics =
        reference::semantics_named(options.semantics).value_or(reference::kExact);
    semantics.links = options.links || (semantics.links && !options.no_links);
    semantics.extrapolation =
        options.extrapolation || (semantics.extrapolation && !options.no_extrapolation);
    return semantics;
}

ExitCode print(const std::string& text) {
    if (write_whole(stdout, text)) return ExitCode::finished;
    return refused("standard output cannot be written");
}

ExitCode run_whole_batch(const Options& options) {
    const auto counts = run_batch({options.batch, semantics_of(options), options.ignore_capacity});
    if (!counts) return refused(counts.error().what);
    if (counts->errors == 0) return ExitCode::finished;
    log_warning(fmt::format("{} of {} records got an error instead of a result", counts->errors,
                            counts->errors + counts->results));
    return ExitCode::finished_with;
}

/// What is wrong with the three together is told at the mapping.
tl::unexpected<reference::Error> at_mapping(const Options& options, reference::Error error) {
    error.what = fmt::format("{}: {}", options.mapping, error.what);
    return tl::unexpected(std::move(error));
}

reference::Result<ModelResult> counted(const Options& options) {
    auto input = load_case({options.problem, options.architecture, options.mapping});
    if (!input) return tl::unexpected(std::move(input).error());
    ModelResult result{std::move(*input), semantics_of(options), {}, {}};
    auto traffic = count(result.input, result.semantics);
    if (!traffic) return at_mapping(options, std::move(traffic).error());
    result.traffic = std::move(*traffic);
    const auto& [workload, architecture, mapping] = result.input;
    if (!options.ignore_capacity)
        if (auto ok = reference::fits(workload, architecture, mapping); !ok)
            return at_mapping(options, std::move(ok).error());
    if (options.energy.empty()) return result;
    auto document = reference::Document::read(options.energy);
    if (!document) return tl::unexpected(std::move(document).error());
    const auto table = reference::read_energy(*document, architecture);
    if (!table) return tl::unexpected(table.error());
    result.energy = reference::energy_of(*table, result.traffic);
    return result;
}

ExitCode run(const Options& options) {
    (void)std::signal(SIGPIPE, SIG_IGN);
    if (!options.batch.empty()) return run_whole_batch(options);
    const auto result = counted(options);
    if (!result)
        return refused(result.error().what,
                       result.error().code == reference::Error::Code::does_not_fit
                           ? ExitCode::not_accepted
                           : ExitCode::unusable);
    if (!options.plot.empty() && !write_whole(options.plot, model_plot(*result)))
        return refused(fmt::format("'{}' cannot be written", options.plot));
    if (options.json) return print(model_json(*result) + '\n');
    std::string text = model_table(*result, wants_colour(STDOUT_FILENO));
    if (options.explain) {
        const auto explained =
            reference::explain(result->input, result->semantics, result->traffic);
        if (!explained) return refused(explained.error().what);
        text = *explained + '\n' + text;
    }
    return print(text);
}

struct Switch {
    bool& with;
    bool& without;
};

/// --NAME and --no-NAME; the semantics decide where neither is given.
void add_switch(CLI::App& model, const std::string& name, const std::string& what, Switch value) {
    auto* with = model.add_flag("--" + name, value.with, "With " + what);
    auto* without = model.add_flag("--no-" + name, value.without,
                                   "Without " + what + " (neither: as the semantics say)");
    with->excludes(without);
}

}  // namespace

void add_model(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* model = app.add_subcommand(
        "model", "Words moved, cycles and energy of a mapping, by the reference model");
    auto* problem = model->add_option("--problem", options->problem, "File of the workload");
    auto* architecture =
        model->add_option("--architecture", options->architecture, "File of the storage levels");
    auto* mapping = model->add_option("--mapping", options->mapping, "File of the mapping");
    problem->needs(architecture, mapping);
    architecture->needs(problem, mapping);
    mapping->needs(problem, architecture);
    auto* batch = model->add_option("--batch", options->batch,
                                    "JSON lines with id, problem, architecture and mapping "
                                    "(also .gz, .zst; - is standard input); results as JSON lines");
    std::vector<std::string> names;
    for (const std::string_view name : reference::semantics_names()) names.emplace_back(name);
    model->add_option("--semantics", options->semantics, "What is counted")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    add_switch(*model, "links", "link transfers", {options->links, options->no_links});
    add_switch(*model, "extrapolation", "the shortcut over iterations",
               {options->extrapolation, options->no_extrapolation});
    model->add_flag("--ignore-capacity", options->ignore_capacity,
                    "Count mappings that do not fit as well");
    auto* energy = model->add_option("--energy", options->energy,
                                     "TOML table of picojoules per access, for the energy as well");
    auto* json = model->add_flag("--json", options->json,
                                 "One JSON object instead of a table; a batch always is JSON");
    auto* explain = model->add_flag("--explain", options->explain,
                                    "In front of the table: the loop nest, and where each number "
                                    "comes from");
    auto* plot = model->add_option("--plot", options->plot,
                                   "SVG file to draw the traffic in (with --energy the energy)");
    for (CLI::Option* single : {problem, architecture, mapping, energy, explain, plot})
        batch->excludes(single);
    explain->excludes(json);
    model->footer(kFooter);
    model->callback([options, problem, batch, &exit_code] {
        const bool asked = problem->count() > 0 || batch->count() > 0;
        exit_code = number(asked ? run(*options)
                                 : refused("needs --problem, --architecture and --mapping, or "
                                           "--batch; --help has examples"));
    });
}

}  // namespace tools

// The fields of summary.json.
// Rounds nothing.
// See report.hpp.
#include "grader/json.hpp"
#include "grader/record.hpp"
#include "grader/report.hpp"

#include <utility>

namespace grader {

namespace {

constexpr std::int64_t kVersion = 1;

Json interval_json(const std::optional<Interval>& interval) {
    if (!interval) return nullptr;
    return Json::object({{"low", interval->low}, {"high", interval->high}});
}

Json key_json(const Key& key) {
    return Json::object(
        {{"task", key.task}, {"model", key.model}, {"sample", key.sample}, {"round", key.round}});
}

Json counts_json(const CaseCounts& counts) {
    return Json::object({{"passed", counts.passed}, {"run", counts.run}, {"total", counts.total}});
}

Json cell_json(const Cell& cell) {
    Json verdicts = Json::object();
    for (std::size_t i = 0; i < kVerdicts; ++i)
        if (cell.by_verdict[i] > 0) verdicts.set(code(static_cast<Verdict>(i)), cell.by_verdict[i]);
    return Json::object({{"task", cell.task},
                         {"model", cell.model},
                         {"samples", cell.samples},
                         {"passed", cell.passed()},
                         {"verdicts", std::move(verdicts)},
                         {"ungraded", cell.ungraded},
                         {"missing", cell.missing},
                         {"judge_errors", cell.judge_errors()},
                         {"wilson", interval_json(wilson(cell.tally()))},
                         {"slowest_case_cpu_us", cell.slowest_cpu_us}});
}

Json model_json(const ModelRow& row) {
    const Json none = nullptr;
    Json at_k = Json::array();
    for (const AtK& at : row.at_k)
        at_k.push(Json::object(
            {{"k", at.k}, {"pass_at_k", at.pass_at_k}, {"pass_power_k", at.pass_power_k}}));
    const bool has_error = row.rate && row.rate->standard_error;
    return Json::object({{"model", row.model},
                         {"samples", row.samples},
                         {"passed", row.passed},
                         {"ungraded", row.ungraded},
                         {"missing", row.missing},
                         {"judge_errors", row.judge_errors},
                         {"pass_rate", row.rate ? Json(row.rate->mean) : none},
                         {"standard_error", has_error ? Json(*row.rate->standard_error) : none},
                         {"interval", row.rate ? interval_json(row.rate->interval) : none},
                         {"bounds", interval_json(row.bounds)},
                         {"at_k", std::move(at_k)},
                         {"unstable", row.unstable},
                         {"likely_memorised", row.likely_memorised},
                         {"other_policies_differ", row.other_policies_differ}});
}

Json first_json(const FirstFailure& first, bool show_numbers) {
    const Json none = nullptr;
    Json object = Json::object({{"case", first.index}, {"visible", first.visible}});
    if (show_numbers) object.set("detail", first.detail);
    if (!first.mismatch) return object;
    object.set("quantity", first.mismatch->quantity);
    object.set("hint", first.mismatch->hint);
    if (!show_numbers) return object;
    object.set("expected", first.mismatch->expected);
    object.set("actual", first.mismatch->actual);
    object.set("error", first.mismatch->error ? Json(*first.mismatch->error) : none);
    return object;
}

Json failure_json(const Failure& failure, const ReportOptions& options) {
    const Grade& grade = failure.grade;
    Json object = key_json(failure.key);
    object.set("verdict", code(grade.judgement.verdict));
    object.set("reason", name(grade.judgement.reason));
    object.set("flags", flag_names(grade.flags));
    object.set("detail", grade.detail);
    object.set("visible", counts_json(grade.visible));
    object.set("hidden", counts_json(grade.hidden));
    object.set("first", grade.first
                            ? first_json(*grade.first, grade.first->visible || options.show_hidden)
                            : Json(nullptr));
    return object;
}

void add_inputs(const BatchFacts& facts, Json& object) {
    Json ungraded = Json::array();
    for (const Ungraded& line : facts.ungraded) {
        Json item = key_json(line.key);
        item.set("where", line.where);
        item.set("why", line.why);
        ungraded.push(std::move(item));
    }
    Json missing = Json::array();
    for (const Key& key : facts.missing) missing.push(key_json(key));
    Json problems = Json::array();
    for (const InputProblem& problem : facts.problems)
        problems.push(Json::object({{"where", problem.where}, {"what", problem.what}}));
    object.set("ungraded", std::move(ungraded));
    object.set("missing", std::move(missing));
    object.set("problems", std::move(problems));
    object.set("duplicates", facts.duplicates);
}

}  // namespace

std::string report_json(const Summary& summary, const ReportOptions& options) {
    const BatchFacts& facts = summary.facts;
    Json tasks = Json::array();
    for (const TaskRow& task : facts.tasks)
        tasks.push(Json::object({{"task", task.id}, {"hidden_sha256", task.hidden_sha256}}));
    Json cells = Json::array();
    for (const Cell& cell : summary.cells) cells.push(cell_json(cell));
    Json models = Json::array();
    for (const ModelRow& row : summary.rows) models.push(model_json(row));
    Json failures = Json::array();
    for (const Failure& failure : summary.failures) failures.push(failure_json(failure, options));
    Json object =
        Json::object({{"version", kVersion},
                      {"submissions", summary.submissions},
                      {"accepted", summary.accepted},
                      {"not_accepted", summary.not_accepted},
                      {"judge_errors", summary.judge_errors},
                      {"repeats", facts.repeats},
                      {"public_seed", facts.public_seed},
                      {"mode", facts.mode},
                      {"tasks", std::move(tasks)},
                      {"models", std::move(models)},
                      {"cells", std::move(cells)},
                      {"failures", std::move(failures)},
                      {"failures_left_out", summary.not_accepted - summary.failures.size()}});
    add_inputs(facts, object);
    return dump(object);
}

}  // namespace grader

// The fields of results.jsonl; docs/report-format.md lists them.
// Cuts what a submission printed: results are no archive of output.
// See record.hpp.
#include "grader/record.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace grader {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kKeptBytes = 1024;  // of each stream of a case that did not pass

Json usage_json(const sandbox::Usage& usage) {
    return Json::object({{"cpu_us", usage.cpu_us},
                         {"wall_us", usage.wall_us},
                         {"peak_memory_bytes", usage.peak_memory_bytes},
                         {"processes_peak", usage.processes_peak},
                         {"output_bytes", usage.output_bytes}});
}

Json hit_json(const sandbox::LimitsHit& hit) {
    Json names = Json::array();
    if (hit.processes) names.push("processes");
    if (hit.disk) names.push("disk");
    if (hit.inodes) names.push("inodes");
    if (hit.file_size) names.push("file_size");
    if (hit.memory) names.push("memory");
    return names;
}

Json in_force_json(const sandbox::LimitsInForce& in_force) {
    return Json::object({{"cpu", sandbox::name(in_force.cpu)},
                         {"wall", sandbox::name(in_force.wall)},
                         {"memory", sandbox::name(in_force.memory)},
                         {"processes", sandbox::name(in_force.processes)},
                         {"output", sandbox::name(in_force.output)},
                         {"files", sandbox::name(in_force.files)}});
}

Json outcome_json(const sandbox::Outcome& outcome) {
    return Json::object({{"ending", sandbox::name(outcome.ending)},
                         {"exit_code", outcome.exit_code},
                         {"signal", outcome.signal},
                         {"blocked_call", outcome.blocked_call},
                         {"limits_hit", hit_json(outcome.limits_hit)},
                         {"limits_in_force", in_force_json(outcome.limits_in_force)},
                         {"usage", usage_json(outcome.usage)}});
}

Json mismatch_json(const Mismatch& mismatch) {
    return Json::object({{"quantity", mismatch.quantity},
                         {"expected", mismatch.expected},
                         {"actual", mismatch.actual},
                         {"error", mismatch.error ? Json(*mismatch.error) : Json(nullptr)},
                         {"hint", mismatch.hint}});
}

void keep_start(Json& object, std::string_view key, std::string_view bytes) {
    if (!bytes.empty()) object.set(key, bytes.substr(0, kKeptBytes));
}

Json build_json(const BuildOutput& build) {
    Json object = outcome_json(build.outcome);
    object.set("built", build.built);
    object.set("object_too_large", build.object_too_large);
    if (!build.built) object.set("log", build.log);
    return object;
}

// Reading. A line that this program wrote has every member; anything else is an error.

std::optional<Verdict> verdict_of(std::string_view text) {
    for (int i = 0; i <= static_cast<int>(Verdict::judge_error); ++i)
        if (code(static_cast<Verdict>(i)) == text) return static_cast<Verdict>(i);
    return std::nullopt;
}

std::optional<Reason> reason_of(std::string_view text) {
    for (int i = 0; i <= static_cast<int>(Reason::host); ++i)
        if (name(static_cast<Reason>(i)) == text) return static_cast<Reason>(i);
    return std::nullopt;
}

Error wrong(std::string what) {
    return {Error::Code::bad_input, std::move(what)};
}

Result<Judgement> read_judgement(const Json& object) {
    const Result<std::string> verdict_text = get_string(object, "verdict");
    if (!verdict_text) return tl::unexpected(verdict_text.error());
    const Result<std::string> reason_text = get_string(object, "reason");
    if (!reason_text) return tl::unexpected(reason_text.error());
    const std::optional<Verdict> verdict = verdict_of(*verdict_text);
    const std::optional<Reason> reason = reason_of(*reason_text);
    if (!verdict || !reason) return tl::unexpected(wrong("unknown verdict or reason"));
    return Judgement{*verdict, *reason};
}

Result<Flags> read_flags(const Json& object) {
    const Result<const Json::Array*> names = get_array(object, "flags");
    if (!names) return tl::unexpected(names.error());
    Flags flags = 0;
    for (const Json& item : **names) {
        const std::string* text = item.string();
        const auto flags_known = all_flags();
        const auto found = std::find_if(flags_known.begin(), flags_known.end(),
                                        [&](Flag flag) { return text && name(flag) == *text; });
        if (found == flags_known.end()) return tl::unexpected(wrong("unknown flag"));
        flags |= *found;
    }
    return flags;
}

Result<Mismatch> read_mismatch(const Json& object) {
    Result<std::string> quantity = get_string(object, "quantity");
    if (!quantity) return tl::unexpected(std::move(quantity.error()));
    const Result<std::int64_t> expected = get_int(object, "expected");
    if (!expected) return tl::unexpected(expected.error());
    Result<std::string> actual = get_string(object, "actual");
    if (!actual) return tl::unexpected(std::move(actual.error()));
    Result<std::string> hint = get_string(object, "hint");
    if (!hint) return tl::unexpected(std::move(hint.error()));
    const Json* error = object.find("error");
    return Mismatch{std::move(*quantity), *expected, std::move(*actual),
                    error ? error->number() : std::nullopt, std::move(*hint)};
}

Result<CaseResult> read_case(const Json& object, std::uint64_t& slowest_cpu_us) {
    CaseResult result;
    const Result<Judgement> judgement = read_judgement(object);
    if (!judgement) return tl::unexpected(judgement.error());
    const Result<Flags> flags = read_flags(object);
    if (!flags) return tl::unexpected(flags.error());
    Result<std::string> detail = get_string(object, "detail");
    if (!detail) return tl::unexpected(std::move(detail.error()));
    const Result<const Json::Array*> mismatches = get_array(object, "mismatches");
    if (!mismatches) return tl::unexpected(mismatches.error());
    for (const Json& item : **mismatches) {
        Result<Mismatch> mismatch = read_mismatch(item);
        if (!mismatch) return tl::unexpected(std::move(mismatch.error()));
        result.mismatches.push_back(std::move(*mismatch));
    }
    const Result<const Json*> usage = get_object(object, "usage");
    if (!usage) return tl::unexpected(usage.error());
    const Result<std::int64_t> cpu_us = get_int(**usage, "cpu_us", {0, INT64_MAX});
    if (!cpu_us) return tl::unexpected(cpu_us.error());
    slowest_cpu_us = std::max(slowest_cpu_us, static_cast<std::uint64_t>(*cpu_us));
    result.judgement = *judgement;
    result.flags = *flags;
    result.detail = std::move(*detail);
    return result;
}

Result<Key> read_key(const Json& object) {
    Result<std::string> task = get_string(object, "task");
    if (!task) return tl::unexpected(std::move(task.error()));
    Result<std::string> model = get_string(object, "model");
    if (!model) return tl::unexpected(std::move(model.error()));
    const Result<std::int64_t> sample = get_int(object, "sample");
    if (!sample) return tl::unexpected(sample.error());
    const Result<std::int64_t> round = get_int(object, "round");
    if (!round) return tl::unexpected(round.error());
    return Key{std::move(*task), std::move(*model), *sample, *round};
}

Result<Repeat> read_repeat(const Json& object) {
    Repeat repeat;
    const Result<Judgement> judgement = read_judgement(object);
    if (!judgement) return tl::unexpected(judgement.error());
    const Result<Flags> flags = read_flags(object);
    if (!flags) return tl::unexpected(flags.error());
    Result<std::string> detail = get_string(object, "detail");
    if (!detail) return tl::unexpected(std::move(detail.error()));
    const Result<const Json::Array*> cases = get_array(object, "cases");
    if (!cases) return tl::unexpected(cases.error());
    for (const Json& item : **cases) {
        Result<CaseResult> result = read_case(item, repeat.slowest_cpu_us);
        if (!result) return tl::unexpected(std::move(result.error()));
        repeat.run.cases.push_back(std::move(*result));
    }
    repeat.judgement = *judgement;
    repeat.flags = *flags;
    repeat.detail = std::move(*detail);
    return repeat;
}

}  // namespace

Json flag_names(Flags flags, Flags mask) {
    Json names = Json::array();
    for (Flag flag : all_flags())
        if (has(static_cast<Flags>(flags & mask), flag)) names.push(name(flag));
    return names;
}

Json case_detail(std::uint32_t index, bool visible, const CaseResult& result,
                 const CaseOutput& output) {
    Json object = Json::object({{"index", index},
                                {"visible", visible},
                                {"verdict", code(result.judgement.verdict)},
                                {"reason", name(result.judgement.reason)},
                                {"flags", flag_names(result.flags)},
                                {"detail", result.detail}});
    Json mismatches = Json::array();
    for (const Mismatch& mismatch : result.mismatches) mismatches.push(mismatch_json(mismatch));
    object.set("mismatches", std::move(mismatches));
    object.set("ran_again", output.ran_again);
    const Json outcome = outcome_json(output.outcome);
    for (const Json::Member& member : *outcome.members()) object.set(member.key, member.value);
    if (result.judgement.verdict != Verdict::accepted) {
        keep_start(object, "answer", output.outcome.answer);
        keep_start(object, "stdout", output.outcome.out);
        keep_start(object, "stderr", output.outcome.err);
    }
    return object;
}

std::string encode_record(const Record& record, RecordDetail detail) {
    const Json none = nullptr;
    Json line = Json::object(
        {{"version", kVersion},
         {"task", record.key.task},
         {"model", record.key.model},
         {"sample", record.key.sample},
         {"round", record.key.round},
         {"repeat", record.number},
         {"language", record.language ? Json(name(*record.language)) : none},
         {"source_sha256", record.source_sha256.empty() ? none : Json(record.source_sha256)},
         {"verdict", code(record.repeat.judgement.verdict)},
         {"reason", name(record.repeat.judgement.reason)},
         {"flags", flag_names(record.repeat.flags)},
         {"detail", record.repeat.detail},
         {"extraction",
          Json::object({{"rule", detail.extraction.rule},
                        {"candidates", detail.extraction.candidates},
                        {"other_policies_differ", detail.extraction.other_policies_differ},
                        {"truncated", detail.extraction.truncated}})},
         {"build", detail.build ? build_json(*detail.build) : none}});
    line.set("cases", std::move(detail.cases));
    return dump(line);
}

Result<Record> decode_record(std::string_view text) {
    const Result<Json> line = parse_json(text);
    if (!line) return tl::unexpected(line.error());
    Record record;
    const Result<std::int64_t> version = get_int(*line, "version", {kVersion, kVersion});
    if (!version) return tl::unexpected(version.error());
    Result<Key> key = read_key(*line);
    if (!key) return tl::unexpected(std::move(key.error()));
    const Result<std::int64_t> number = get_int(*line, "repeat", {0, UINT32_MAX});
    if (!number) return tl::unexpected(number.error());
    Result<Repeat> repeat = read_repeat(*line);
    if (!repeat) return tl::unexpected(std::move(repeat.error()));
    const Json* language = line->find("language");
    if (language && language->string()) record.language = parse_language(*language->string());
    const Json* sha256 = line->find("source_sha256");
    if (sha256 && sha256->string()) record.source_sha256 = *sha256->string();
    record.key = std::move(*key);
    record.number = static_cast<std::uint32_t>(*number);
    record.repeat = std::move(*repeat);
    return record;
}

}  // namespace grader

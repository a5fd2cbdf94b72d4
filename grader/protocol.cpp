// Writes and reads the lines between coordinator and worker, every key required, no other allowed.
// Trusts neither side: a number out of range is an error, not a cast.
// See protocol.hpp.
#include "grader/protocol.hpp"

#include "grader/base64.hpp"
#include "grader/fields.hpp"
#include "grader/json.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace grader {

namespace {

constexpr std::int64_t kMost32 = UINT32_MAX;
constexpr std::int64_t kMost64 = INT64_MAX;

JsonOptions line_options() {
    JsonOptions options;
    options.max_bytes = std::size_t{1} << 30U;
    return options;
}

template <class T>
Json number(T value) {
    return Json(static_cast<std::int64_t>(value));
}

/// The enumerator of a name, from the table that `name` is.
template <class Enum, std::size_t N>
Enum from_name(Fields& fields, std::string_view key, const std::array<Enum, N>& all) {
    const std::string text = fields.string(key);
    for (const Enum value : all)
        if (name(value) == text) return value;
    fields.fail(fmt::format("{} has the unknown value {}", key, quoted(text)));
    return all[0];
}

constexpr std::array kEndings{sandbox::Ending::exited,          sandbox::Ending::signaled,
                              sandbox::Ending::cpu_limit,       sandbox::Ending::wall_limit,
                              sandbox::Ending::memory_limit,    sandbox::Ending::output_limit,
                              sandbox::Ending::policy_violation};
constexpr std::array kLimiters{sandbox::Limiter::none,   sandbox::Limiter::cgroup,
                               sandbox::Limiter::rlimit, sandbox::Limiter::sampled,
                               sandbox::Limiter::keeper, sandbox::Limiter::mount};
constexpr std::array kLanguages{Language::cpp, Language::python, Language::lua};

Json write(const sandbox::Limits& limits) {
    return Json::object({{"cpu_ms", number(limits.cpu_time.count())},
                         {"wall_ms", number(limits.wall_time.count())},
                         {"memory_bytes", number(limits.memory_bytes)},
                         {"output_bytes", number(limits.output_bytes)},
                         {"file_bytes", number(limits.file_bytes)},
                         {"inodes", number(limits.inodes)},
                         {"processes", number(limits.processes)},
                         {"open_files", number(limits.open_files)}});
}

sandbox::Limits read_limits(Fields& parent, std::string_view key) {
    Fields in(*parent.object(key));
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(in.integer("cpu_ms", 1, kMost32));
    limits.wall_time = std::chrono::milliseconds(in.integer("wall_ms", 1, kMost32));
    limits.memory_bytes = static_cast<std::uint64_t>(in.integer("memory_bytes", 1, kMost64));
    limits.output_bytes = static_cast<std::uint64_t>(in.integer("output_bytes", 1, kMost64));
    limits.file_bytes = static_cast<std::uint64_t>(in.integer("file_bytes", 1, kMost64));
    limits.inodes = static_cast<std::uint32_t>(in.integer("inodes", 1, kMost32));
    limits.processes = static_cast<std::uint32_t>(in.integer("processes", 1, kMost32));
    limits.open_files = static_cast<std::uint32_t>(in.integer("open_files", 1, kMost32));
    parent.check(in);
    if (auto valid = sandbox::check(limits); !valid) parent.fail(valid.error().what);
    return limits;
}

Json write(const sandbox::LimitsHit& hit) {
    return Json::object({{"processes", hit.processes},
                         {"disk", hit.disk},
                         {"inodes", hit.inodes},
                         {"file_size", hit.file_size},
                         {"memory", hit.memory}});
}

sandbox::LimitsHit read_limits_hit(Fields& parent, std::string_view key) {
    Fields in(*parent.object(key));
    sandbox::LimitsHit hit;
    hit.processes = in.boolean("processes");
    hit.disk = in.boolean("disk");
    hit.inodes = in.boolean("inodes");
    hit.file_size = in.boolean("file_size");
    hit.memory = in.boolean("memory");
    parent.check(in);
    return hit;
}

Json write(const sandbox::LimitsInForce& force) {
    return Json::object({{"cpu", name(force.cpu)},
                         {"wall", name(force.wall)},
                         {"memory", name(force.memory)},
                         {"processes", name(force.processes)},
                         {"output", name(force.output)},
                         {"files", name(force.files)}});
}

sandbox::LimitsInForce read_limits_in_force(Fields& parent, std::string_view key) {
    Fields in(*parent.object(key));
    sandbox::LimitsInForce force;
    force.cpu = from_name(in, "cpu", kLimiters);
    force.wall = from_name(in, "wall", kLimiters);
    force.memory = from_name(in, "memory", kLimiters);
    force.processes = from_name(in, "processes", kLimiters);
    force.output = from_name(in, "output", kLimiters);
    force.files = from_name(in, "files", kLimiters);
    parent.check(in);
    return force;
}

Json write(const sandbox::Usage& usage) {
    return Json::object({{"cpu_us", number(usage.cpu_us)},
                         {"wall_us", number(usage.wall_us)},
                         {"peak_memory_bytes", number(usage.peak_memory_bytes)},
                         {"processes_peak", number(usage.processes_peak)},
                         {"output_bytes", number(usage.output_bytes)}});
}

sandbox::Usage read_usage(Fields& parent, std::string_view key) {
    Fields in(*parent.object(key));
    sandbox::Usage usage;
    usage.cpu_us = static_cast<std::uint64_t>(in.integer("cpu_us", 0, kMost64));
    usage.wall_us = static_cast<std::uint64_t>(in.integer("wall_us", 0, kMost64));
    usage.peak_memory_bytes =
        static_cast<std::uint64_t>(in.integer("peak_memory_bytes", 0, kMost64));
    usage.processes_peak = static_cast<std::uint32_t>(in.integer("processes_peak", 0, kMost32));
    usage.output_bytes = static_cast<std::uint64_t>(in.integer("output_bytes", 0, kMost64));
    parent.check(in);
    return usage;
}

Json write(const sandbox::Outcome& outcome) {
    return Json::object({{"ending", name(outcome.ending)},
                         {"exit_code", outcome.exit_code},
                         {"signal", outcome.signal},
                         {"blocked_call", outcome.blocked_call},
                         {"leftover_processes", outcome.leftover_processes},
                         {"limits_hit", write(outcome.limits_hit)},
                         {"limits_in_force", write(outcome.limits_in_force)},
                         {"usage", write(outcome.usage)},
                         {"out", base64_encode(outcome.out)},
                         {"err", base64_encode(outcome.err)},
                         {"answer", base64_encode(outcome.answer)}});
}

sandbox::Outcome read_outcome(Fields& parent, std::string_view key) {
    Fields in(*parent.object(key));
    sandbox::Outcome outcome;
    outcome.ending = from_name(in, "ending", kEndings);
    outcome.exit_code = static_cast<int>(in.integer("exit_code", 0, 255));
    outcome.signal = static_cast<int>(in.integer("signal", 0, 64));
    outcome.blocked_call = in.string("blocked_call");
    outcome.leftover_processes = in.boolean("leftover_processes");
    outcome.limits_hit = read_limits_hit(in, "limits_hit");
    outcome.limits_in_force = read_limits_in_force(in, "limits_in_force");
    outcome.usage = read_usage(in, "usage");
    outcome.out = in.bytes("out");
    outcome.err = in.bytes("err");
    outcome.answer = in.bytes("answer");
    parent.check(in);
    return outcome;
}

std::uint64_t read_id(Fields& in, std::string_view key) {
    return static_cast<std::uint64_t>(in.integer(key, 0, kMost64));
}

Json write(const Hello& hello) {
    Json tools = Json::array();
    for (const Hello::Tool& tool : hello.tools)
        tools.push(Json::object({{"language", name(tool.language)}, {"version", tool.version}}));
    Json missing = Json::array();
    for (const std::string& line : hello.missing) missing.push(line);
    return Json::object({{"type", "hello"},
                         {"protocol", number(hello.protocol)},
                         {"mode", hello.mode},
                         {"tools", std::move(tools)},
                         {"missing", std::move(missing)}});
}

WorkerMessage read_hello(Fields& in) {
    Hello hello;
    hello.protocol = static_cast<std::uint32_t>(in.integer("protocol", 1, 1));
    hello.mode = in.string("mode");
    for (const Json& item : *in.array("tools")) {
        Fields tool(item);
        const Language language = from_name(tool, "language", kLanguages);
        hello.tools.push_back({language, tool.string("version")});
        in.check(tool);
    }
    for (const Json& item : *in.array("missing")) {
        if (item.string() == nullptr)
            in.fail("missing has to hold strings");
        else
            hello.missing.push_back(*item.string());
    }
    return hello;
}

Json write(const Built& built) {
    return Json::object({{"type", "built"},
                         {"job", number(built.job)},
                         {"built", built.build.built},
                         {"outcome", write(built.build.outcome)},
                         {"log", base64_encode(built.build.log)},
                         {"object_too_large", built.build.object_too_large}});
}

WorkerMessage read_built(Fields& in) {
    Built built;
    built.job = read_id(in, "job");
    built.build.built = in.boolean("built");
    built.build.outcome = read_outcome(in, "outcome");
    built.build.log = in.bytes("log");
    built.build.object_too_large = in.boolean("object_too_large");
    return built;
}

Json write(const CaseDone& done) {
    return Json::object({{"type", "case_done"},
                         {"job", number(done.job)},
                         {"repeat", number(done.repeat)},
                         {"index", number(done.index)},
                         {"outcome", write(done.output.outcome)},
                         {"ran_again", done.output.ran_again},
                         {"out_of_instructions", done.output.out_of_instructions}});
}

WorkerMessage read_case_done(Fields& in) {
    CaseDone done;
    done.job = read_id(in, "job");
    done.repeat = static_cast<std::uint32_t>(in.integer("repeat", 0, kMost32));
    done.index = static_cast<std::uint32_t>(in.integer("index", 0, kMost32));
    done.output.outcome = read_outcome(in, "outcome");
    done.output.ran_again = in.boolean("ran_again");
    done.output.out_of_instructions = in.boolean("out_of_instructions");
    return done;
}

Json write(const JobDone& done) {
    return Json::object({{"type", "job_done"}, {"job", number(done.job)}});
}

Json write(const JobFailed& failed) {
    return Json::object(
        {{"type", "job_failed"}, {"job", number(failed.job)}, {"what", failed.what}});
}

}  // namespace

std::string encode(const Job& job) {
    Json cases = Json::array();
    for (const CaseInput& input : job.cases)
        cases.push(Json::object({{"json", input.json}, {"visible", input.visible}}));
    return dump(Json::object({{"type", "job"},
                              {"id", number(job.id)},
                              {"language", name(job.language)},
                              {"source", base64_encode(job.source)},
                              {"limits", write(job.limits)},
                              {"repeats", number(job.repeats)},
                              {"cases", std::move(cases)}}));
}

std::string encode(const WorkerMessage& message) {
    return dump(std::visit([](const auto& kind) { return write(kind); }, message));
}

Result<Job> decode_job(std::string_view line) {
    auto object = parse_json(line, line_options());
    if (!object) return tl::unexpected(std::move(object).error());
    Fields in(*object);
    Job job;
    if (in.string("type") != "job") in.fail("a line that is no job");
    job.id = read_id(in, "id");
    job.language = from_name(in, "language", kLanguages);
    job.source = in.bytes("source");
    job.limits = read_limits(in, "limits");
    job.repeats = static_cast<std::uint32_t>(in.integer("repeats", 1, kMost32));
    for (const Json& item : *in.array("cases")) {
        Fields input(item);
        std::string json = input.string("json");
        job.cases.push_back({std::move(json), input.boolean("visible")});
        in.check(input);
    }
    if (job.cases.empty()) in.fail("a job without cases");
    auto finished = in.finish();
    if (!finished) return tl::unexpected(std::move(finished).error());
    return job;
}

Result<WorkerMessage> decode_message(std::string_view line) {
    auto object = parse_json(line, line_options());
    if (!object) return tl::unexpected(std::move(object).error());
    Fields in(*object);
    const std::string type = in.string("type");
    WorkerMessage message;
    if (type == "hello")
        message = read_hello(in);
    else if (type == "built")
        message = read_built(in);
    else if (type == "case_done")
        message = read_case_done(in);
    else if (type == "job_done")
        message = JobDone{read_id(in, "job")};
    else if (type == "job_failed") {
        JobFailed failed{read_id(in, "job"), {}};
        failed.what = in.string("what");
        message = std::move(failed);
    } else
        in.fail(fmt::format("unknown message {}", quoted(type)));
    auto finished = in.finish();
    if (!finished) return tl::unexpected(std::move(finished).error());
    return message;
}

}  // namespace grader

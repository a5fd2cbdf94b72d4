// Tests of grader/protocol.hpp and base64.hpp: what is written is read back, nothing else is.
// No worker.
// Run by the unit suite.
#include "grader/protocol.hpp"

#include "grader/base64.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace grader;

namespace {

Job some_job() {
    Job job;
    job.id = 7;
    job.language = Language::python;
    job.source = std::string("def predict():\n  return '\xff\0'", 29);
    job.limits.cpu_time = std::chrono::milliseconds(1234);
    job.limits.processes = 3;
    job.repeats = 2;
    job.cases = {{R"({"workload":{"name":"g\u00e9"}})", true}, {"{}", false}};
    return job;
}

sandbox::Outcome some_outcome() {
    sandbox::Outcome outcome;
    outcome.ending = sandbox::Ending::policy_violation;
    outcome.blocked_call = "socket";
    outcome.leftover_processes = true;
    outcome.limits_hit.disk = true;
    outcome.limits_in_force.memory = sandbox::Limiter::sampled;
    outcome.usage = {1, 2, 3, 4, 5};
    outcome.out = std::string("\0\n\xfe", 3);
    outcome.err = "e";
    outcome.answer = "{\"answer\":{}}\n{";
    return outcome;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("protocol: a job comes back as it was") {
    const Job job = some_job();
    const std::string line = encode(job);
    CHECK(line.find('\n') == std::string::npos);
    const auto read = decode_job(line);
    REQUIRE(read);
    CHECK(read->id == 7);
    CHECK(read->language == Language::python);
    CHECK(read->source == job.source);
    CHECK(read->limits == job.limits);
    CHECK(read->repeats == 2);
    REQUIRE(read->cases.size() == 2);
    CHECK(read->cases[0].json == job.cases[0].json);
    CHECK(read->cases[0].visible);
    CHECK(!read->cases[1].visible);
    CHECK(encode(*read) == line);
}

TEST_CASE("protocol: every message comes back as it was") {
    Hello hello;
    hello.mode = "full";
    hello.tools = {{Language::cpp, "g++ 12"}, {Language::lua, "Lua"}};
    hello.missing = {"python: no /usr/bin/python3"};
    Built built{3, {}};
    built.build.outcome = some_outcome();
    built.build.log = "error: \xff";
    built.build.object_too_large = true;
    CaseDone done{4, 1, 63, {}};
    done.output.outcome = some_outcome();
    done.output.ran_again = true;
    done.output.out_of_instructions = true;
    const WorkerMessage messages[] = {hello, built, done, JobDone{5},
                                      JobFailed{6, "disk \"full\""}};
    for (const WorkerMessage& message : messages) {
        const std::string line = encode(message);
        CHECK(line.find('\n') == std::string::npos);
        const auto read = decode_message(line);
        REQUIRE(read);
        CHECK(read->index() == message.index());
        CHECK(encode(*read) == line);
    }
    const auto read = decode_message(encode(WorkerMessage(done)));
    REQUIRE(read);
    const auto& output = std::get<CaseDone>(*read).output;
    CHECK(output.outcome.out == done.output.outcome.out);
    CHECK(output.outcome.answer == done.output.outcome.answer);
    CHECK(output.outcome.usage.processes_peak == 4);
    CHECK(output.outcome.limits_in_force.memory == sandbox::Limiter::sampled);
}

TEST_CASE("protocol: hostile job lines are refused") {
    const std::string good = encode(some_job());
    REQUIRE(decode_job(good));
    const std::pair<const char*, const char*> changes[] = {
        {"\"id\":7", "\"id\":-7"},
        {"\"id\":7", "\"id\":7.0"},
        {"\"id\":7", "\"id\":7,\"id\":8"},
        {"\"id\":7", "\"id\":7,\"expected\":1"},
        {"\"id\":7,", ""},
        {"\"python\"", "\"perl\""},
        {"\"repeats\":2", "\"repeats\":0"},
        {"\"repeats\":2", "\"repeats\":4294967296"},
        {"\"cpu_ms\":1234", "\"cpu_ms\":0"},
        {"\"processes\":3", "\"processes\":9999999"},
        {"\"source\":\"ZG", "\"source\":\"Z"},
        {"\"visible\":true", "\"visible\":1"},
        {"\"visible\":true", "\"visible\":true,\"answer\":3"},
        {"\"type\":\"job\"", "\"type\":\"hello\""}};
    for (const auto& [from, with] : changes) {
        const char* to = with;  // clang 14 captures no structured binding
        CAPTURE(to);
        CHECK(!decode_job(replaced(good, from, to)));
    }
    for (const char* line : {"", "{}", "[]", "null", "7", "{\"type\":\"job\"}"})
        CHECK(!decode_job(line));
    CHECK(!decode_job(good + good));
    CHECK(!decode_job(good.substr(0, good.size() - 1)));
    Job empty = some_job();
    empty.cases.clear();
    CHECK(!decode_job(encode(empty)));
}

TEST_CASE("protocol: hostile messages are refused") {
    CaseDone done{4, 1, 63, {}};
    done.output.outcome = some_outcome();
    const std::string good = encode(WorkerMessage(done));
    REQUIRE(decode_message(good));
    const std::pair<const char*, const char*> changes[] = {
        {"\"policy_violation\"", "\"accepted\""},
        {"\"exit_code\":0", "\"exit_code\":256"},
        {"\"exit_code\":0", "\"exit_code\":-1"},
        {"\"signal\":0", "\"signal\":65"},
        {"\"cpu_us\":1", "\"cpu_us\":-1"},
        {"\"sampled\"", "\"trust\""},
        {"\"index\":63", "\"index\":null"},
        {"\"index\":63", "\"index\":63,\"verdict\":\"AC\""},
        {"\"err\":\"ZQ==\"", "\"err\":\"ZR==\""},
        {"case_done", "case_passed"}};
    for (const auto& [from, with] : changes) {
        const char* to = with;  // clang 14 captures no structured binding
        CAPTURE(to);
        CHECK(!decode_message(replaced(good, from, to)));
    }
}

TEST_CASE("base64: known texts both ways") {
    const std::pair<const char*, const char*> known[] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : known) {
        CHECK(base64_encode(bytes) == text);
        CHECK(base64_decode(text) == bytes);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    CHECK(base64_decode(base64_encode(all)) == all);
}

TEST_CASE("base64: one text for every string, no other is read") {
    for (const char* text :
         {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm 9", "Zm9\n", "Z=g="})
        CHECK(!base64_decode(text));
}

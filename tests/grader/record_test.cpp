// Tests of grader/record.hpp and grader/verdict_line.hpp: what is written is read back, and what
// verdicts.jsonl carries depends on bytes alone.
// No file is written.
// Run by the unit suite.
#include "grader/record.hpp"

#include "grader/verdict_line.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using grader::CaseOutput;
using grader::CaseResult;
using grader::decode_record;
using grader::encode_record;
using grader::Entry;
using grader::Extraction;
using grader::Flag;
using grader::Language;
using grader::Reason;
using grader::Record;
using grader::Repeat;
using grader::Verdict;

namespace {

Repeat repeat_of(Verdict verdict, Reason reason, std::size_t cases) {
    Repeat repeat;
    repeat.judgement = {verdict, reason};
    for (std::size_t i = 0; i < cases; ++i) {
        CaseResult result;
        result.judgement = repeat.judgement;
        repeat.run.cases.push_back(result);
    }
    return repeat;
}

Record record_of(Repeat repeat) {
    Record record;
    record.key = {"gemm", "m\"1\n", 3, 1};
    record.number = 2;
    record.language = Language::lua;
    record.source_sha256 = std::string(64, 'a');
    record.repeat = std::move(repeat);
    return record;
}

grader::Json::Array details_of(const Repeat& repeat) {
    grader::Json::Array details;
    for (std::size_t i = 0; i < repeat.run.cases.size(); ++i) {
        CaseOutput output;
        output.outcome.usage.cpu_us = 1000 * (i + 1);
        output.outcome.out = std::string(5000, 'o') + "\xFF";
        details.push_back(grader::case_detail(static_cast<std::uint32_t>(i), i == 0,
                                              repeat.run.cases[i], output));
    }
    return details;
}

Entry entry_of(const std::vector<Repeat>& repeats) {
    Entry entry;
    entry.key = {"gemm", "m1", 0, 0};
    entry.language = Language::cpp;
    entry.source_sha256 = std::string(64, 'b');
    entry.grade = grader::grade_of(repeats, {1, 2});
    return entry;
}

}  // namespace

TEST_CASE("record: a line is read back as it was written") {
    Repeat repeat = repeat_of(Verdict::wrong_answer, Reason::value, 2);
    repeat.flags |= Flag::truncated;
    repeat.run.cases[1].flags |= Flag::near_limit;
    repeat.run.cases[1].detail = "a\tdetail";
    repeat.run.cases[1].mismatches = {{"dram.words", INT64_MAX, "-1.5e300", std::nullopt, "x2"},
                                      {"dram.reads.A", 7, "14", 1.0, ""}};
    const Record record = record_of(repeat);
    const Extraction extraction;
    const std::string line = encode_record(record, {extraction, nullptr, details_of(repeat)});
    CHECK(line.find('\n') == std::string::npos);
    const auto back = decode_record(line);
    REQUIRE(back);
    CHECK(back->key == record.key);
    CHECK(back->number == 2);
    CHECK(back->language == Language::lua);
    CHECK(back->source_sha256 == record.source_sha256);
    CHECK(back->repeat.judgement == repeat.judgement);
    CHECK(back->repeat.flags == repeat.flags);
    CHECK(back->repeat.slowest_cpu_us == 2000);
    REQUIRE(back->repeat.run.cases.size() == 2);
    const CaseResult& second = back->repeat.run.cases[1];
    CHECK(second.flags == repeat.run.cases[1].flags);
    CHECK(second.detail == "a\tdetail");
    REQUIRE(second.mismatches.size() == 2);
    CHECK(second.mismatches[0].expected == INT64_MAX);
    CHECK(second.mismatches[0].actual == "-1.5e300");
    CHECK(!second.mismatches[0].error);
    CHECK(second.mismatches[1].error == 1.0);
}

TEST_CASE("record: what a submission printed is cut") {
    const Repeat repeat = repeat_of(Verdict::run_time_error, Reason::signal, 1);
    const Extraction extraction;
    const std::string line =
        encode_record(record_of(repeat), {extraction, nullptr, details_of(repeat)});
    CHECK(line.find(std::string(1024, 'o')) != std::string::npos);
    CHECK(line.find(std::string(1025, 'o')) == std::string::npos);
}

TEST_CASE("record: every verdict, reason and flag is read back") {
    for (int v = 0; v <= static_cast<int>(Verdict::judge_error); ++v) {
        for (int r = 0; r <= static_cast<int>(Reason::host); ++r) {
            Repeat repeat = repeat_of(static_cast<Verdict>(v), static_cast<Reason>(r), 0);
            repeat.flags = 63;
            const Extraction extraction;
            const auto back =
                decode_record(encode_record(record_of(repeat), {extraction, nullptr, {}}));
            REQUIRE(back);
            CHECK(back->repeat.judgement == repeat.judgement);
            CHECK(back->repeat.flags == 63);
        }
    }
}

TEST_CASE("record: damaged lines are refused") {
    const Repeat repeat = repeat_of(Verdict::accepted, Reason::none, 1);
    const Extraction extraction;
    const std::string line =
        encode_record(record_of(repeat), {extraction, nullptr, details_of(repeat)});
    CHECK(!decode_record(""));
    CHECK(!decode_record("[]"));
    CHECK(!decode_record(line.substr(0, line.size() / 2)));
    for (const char* key : {"\"verdict\"", "\"cases\"", "\"version\"", "\"flags\"", "\"repeat\""}) {
        std::string renamed = line;
        renamed.replace(renamed.find(key) + 1, 1, "_");
        CAPTURE(key);
        CHECK(!decode_record(renamed));
    }
}

TEST_CASE("verdict_line: the fields, in their order") {
    const Entry entry = entry_of({repeat_of(Verdict::accepted, Reason::none, 2)});
    CHECK(grader::verdict_line(entry, 1) ==
          "{\"task\":\"gemm\",\"model\":\"m1\",\"sample\":0,\"round\":0,\"language\":\"cpp\","
          "\"verdict\":\"AC\",\"reason\":\"\",\"flags\":[],\"cases_passed\":2,\"cases_run\":2,"
          "\"cases_total\":2,\"repeats\":1,\"source_sha256\":\"" +
              std::string(64, 'b') + "\"}");
}

TEST_CASE("verdict_line: clocks leave no trace") {
    Repeat by_cpu = repeat_of(Verdict::time_limit, Reason::cpu, 2);
    Repeat by_wall = repeat_of(Verdict::time_limit, Reason::wall, 2);
    by_wall.run.cases[0].flags = Flag::near_limit | Flag::leftover_processes;
    by_wall.run.cases[1].flags |= Flag::unstable;
    const std::string line = grader::verdict_line(entry_of({by_cpu}), 1);
    CHECK(line == grader::verdict_line(entry_of({by_wall}), 1));
    CHECK(line.find("\"reason\":\"time\"") != std::string::npos);
}

TEST_CASE("verdict_line: flags of bytes are there, a submission without code has no hash") {
    Entry entry = entry_of({repeat_of(Verdict::compile_error, Reason::truncated, 0)});
    entry.grade.flags = 63;
    entry.source_sha256.clear();
    entry.language.reset();
    const std::string line = grader::verdict_line(entry, 3);
    CHECK(line.find("\"flags\":[\"tamper\",\"likely_memorised\",\"truncated\"]") !=
          std::string::npos);
    CHECK(line.find("\"language\":null") != std::string::npos);
    CHECK(line.find("\"source_sha256\":null") != std::string::npos);
    CHECK(line.find("\"repeats\":3") != std::string::npos);
}

TEST_CASE("verdict_line: a repeat without cases decides, and what is complete is known") {
    const Repeat good = repeat_of(Verdict::accepted, Reason::none, 2);
    const Repeat breaks = repeat_of(Verdict::security_violation, Reason::breaks_worker, 0);
    const Repeat host = repeat_of(Verdict::judge_error, Reason::host, 0);
    CHECK(grader::grade_of({good, breaks}, {1, 2}).judgement == breaks.judgement);
    CHECK(grader::grade_of({good, host}, {1, 2}).judgement == host.judgement);
    CHECK(grader::is_complete({good, good}, 2));
    CHECK(!grader::is_complete({good}, 2));
    CHECK(grader::is_complete({good, breaks}, 3));
    CHECK(!grader::is_complete({good, host}, 2));
    CHECK(!grader::is_complete({}, 1));
}

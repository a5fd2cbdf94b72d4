// Tests of grader/summary.hpp and grader/report.hpp: denominators, void results, hidden numbers.
// Formulas are statistics_test.cpp's.
// Run by the unit suite.
#include "grader/summary.hpp"

#include "grader/report.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using grader::BatchFacts;
using grader::Cell;
using grader::Entry;
using grader::Key;
using grader::missing_samples;
using grader::summarise;
using grader::Summary;
using grader::Verdict;

namespace {

Entry entry(const std::string& task, const std::string& model, std::int64_t sample,
            Verdict verdict) {
    Entry made;
    made.key = {task, model, sample, 0};
    made.grade.judgement = {verdict, grader::Reason::none};
    return made;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Summary with_failure(bool visible) {
    Entry failed = entry("gemm", "m1", 0, Verdict::wrong_answer);
    failed.grade.judgement.reason = grader::Reason::value;
    failed.grade.first = grader::FirstFailure{
        5, visible, "secret detail", grader::Mismatch{"dram.words", 4711, "9422", 1.0, "x2"}};
    return summarise({failed}, BatchFacts{});
}

}  // namespace

TEST_CASE("summary: ungraded and missing keys are in the denominator, JE in none") {
    BatchFacts facts;
    facts.ungraded = {{{"gemm", "m1", 3, 0}, "a.jsonl:4", "two texts"}};
    facts.missing = {{"gemm", "m1", 4, 0}, {"bypass", "m1", 0, 0}};
    const Summary summary = summarise(
        {entry("gemm", "m1", 0, Verdict::accepted), entry("gemm", "m1", 1, Verdict::wrong_answer),
         entry("gemm", "m1", 2, Verdict::judge_error)},
        facts);
    REQUIRE(summary.cells.size() == 2);
    const Cell& gemm = summary.cells[1];
    CHECK(gemm.samples == 5);
    CHECK(gemm.tally().samples == 4);
    CHECK(gemm.tally().passed == 1);
    CHECK(gemm.ungraded == 1);
    CHECK(gemm.missing == 1);
    REQUIRE(summary.rows.size() == 1);
    CHECK(summary.rows[0].rate->mean == doctest::Approx((0.25 + 0) / 2));
    CHECK(summary.rows[0].bounds.low == doctest::Approx((0.2 + 0) / 2));
    CHECK(summary.rows[0].bounds.high == doctest::Approx((0.4 + 0) / 2));
    CHECK(summary.judge_errors == 1);
    CHECK(summary.not_accepted == 2);
}

TEST_CASE("summary: pass@k up to the smallest number of samples") {
    const Summary summary =
        summarise({entry("a", "m", 0, Verdict::accepted), entry("a", "m", 1, Verdict::wrong_answer),
                   entry("b", "m", 0, Verdict::accepted), entry("b", "m", 1, Verdict::accepted),
                   entry("b", "m", 2, Verdict::accepted)},
                  BatchFacts{});
    REQUIRE(summary.rows[0].at_k.size() == 2);
    CHECK(summary.rows[0].at_k[1].pass_at_k == doctest::Approx(1));
    CHECK(summary.rows[0].at_k[1].pass_power_k == doctest::Approx(0.5));
}

TEST_CASE("summary: a model whose every result is void has no rate") {
    const Summary summary = summarise({entry("a", "m", 0, Verdict::judge_error)}, BatchFacts{});
    CHECK(!summary.rows[0].rate);
    CHECK(summary.rows[0].at_k.empty());
    CHECK(contains(grader::report_table(summary, {}), "JE failed 0.0%, passed 100.0%"));
}

TEST_CASE("summary: missing samples are named, whole models as well") {
    const std::vector<Key> keys{
        {"a", "m1", 0, 0}, {"a", "m1", 0, 1}, {"a", "m1", 2, 0}, {"b", "m2", 0, 0}};
    const auto missing = missing_samples(keys, 2);
    REQUIRE(missing);
    CHECK(*missing == std::vector<Key>{{"a", "m2", 0, 0},
                                       {"a", "m2", 1, 0},
                                       {"b", "m1", 0, 0},
                                       {"b", "m1", 1, 0},
                                       {"b", "m2", 1, 0}});
    const auto too_many = missing_samples(keys, 1);
    REQUIRE(!too_many);
    CHECK(contains(too_many.error().what, "model m1 has 2 samples of task a"));
}

TEST_CASE("report: hidden numbers are shown only when asked for") {
    for (const std::string& text : {grader::report_table(with_failure(false), {}),
                                    grader::report_json(with_failure(false), {})}) {
        CHECK(contains(text, "dram.words"));
        CHECK(contains(text, "x2"));
        CHECK(!contains(text, "4711"));
        CHECK(!contains(text, "9422"));
        CHECK(!contains(text, "secret"));
    }
    const grader::ReportOptions shown{false, true};
    for (const std::string& text : {grader::report_table(with_failure(false), shown),
                                    grader::report_json(with_failure(false), shown),
                                    grader::report_table(with_failure(true), {}),
                                    grader::report_json(with_failure(true), {})}) {
        CHECK(contains(text, "4711"));
        CHECK(contains(text, "9422"));
    }
}

TEST_CASE("report: the public seed is said, and names cannot move the cursor") {
    BatchFacts facts;
    facts.public_seed = true;
    const Summary summary = summarise({entry("gemm", "m\x1b[2J\n", 0, Verdict::accepted)}, facts);
    const std::string text = grader::report_table(summary, {});
    CHECK(contains(text, "public development seed"));
    CHECK(!contains(text, "\x1b"));
    CHECK(contains(text, "1/1 AC"));
    CHECK(contains(grader::report_table(summary, {true, false}), "\x1b[32m1/1 AC\x1b[0m"));
    CHECK(!contains(grader::report_table(summarise({}, BatchFacts{}), {}), "public"));
}

// Tests of grader/checkers.hpp: keys, tolerances, reasons, hints.
// Not of reading records: answer_test.cpp.
// Run by the unit suite.
#include "grader/checkers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using grader::check;
using grader::CheckResult;
using grader::Expected;
using grader::Judgement;
using grader::Reason;
using grader::Tolerance;
using grader::Verdict;
using Kind = grader::Tolerance::Kind;

namespace {

const Expected kTwo{{"buffer.words", 768, {}, 0}, {"dram.reads.A", 16384, {}, 256}};

Judgement judged(const Expected& expected, const std::string& values) {
    CAPTURE(values);
    return check(expected, "{\"answer\":{" + values + "}}\n").judgement;
}

bool accepted(std::int64_t expected, const Tolerance& tolerance, const std::string& actual) {
    return judged({{"a", expected, tolerance, 0}}, "\"a\":" + actual).verdict == Verdict::accepted;
}

std::string hint(std::int64_t expected, const std::string& actual, std::int64_t tile = 0) {
    const CheckResult result =
        check({{"a", expected, {}, tile}}, "{\"answer\":{\"a\":" + actual + "}}");
    REQUIRE(result.mismatches.size() == 1);
    return result.mismatches[0].hint;
}

constexpr Judgement kAccepted{Verdict::accepted, Reason::none};

}  // namespace

TEST_CASE("checkers: equal is accepted, in any order and as an integral float") {
    CHECK(judged(kTwo, R"("buffer.words":768,"dram.reads.A":16384)") == kAccepted);
    CHECK(judged(kTwo, R"("dram.reads.A":16384,"buffer.words":768)") == kAccepted);
    CHECK(judged(kTwo, R"("dram.reads.A":1.6384e4,"buffer.words":768.0)") == kAccepted);
}

TEST_CASE("checkers: off by one is WA value") {
    for (const char* text : {"16383", "16385", "16385.0", "-16384", "9223372036854775808"})
        CHECK(judged(kTwo, R"("buffer.words":768,"dram.reads.A":)" + std::string(text)) ==
              Judgement{Verdict::wrong_answer, Reason::value});
}

TEST_CASE("checkers: integers beyond 2^53 are compared as integers") {
    constexpr std::int64_t kBig = 9007199254740993;
    CHECK(accepted(kBig, {}, "9007199254740993"));
    CHECK_FALSE(accepted(kBig, {}, "9007199254740992"));
    CHECK_FALSE(accepted(kBig, {}, "9007199254740992.0"));
    CHECK_FALSE(accepted(kBig, {}, "9007199254740993.0"));
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    CHECK(accepted(kMost, {}, "9223372036854775807"));
    CHECK_FALSE(accepted(kMost, {}, "9223372036854775806"));
    CHECK_FALSE(accepted(kMost, {}, "9223372036854775808"));
    CHECK_FALSE(accepted(kMost, {}, "9.223372036854775807e18"));
    CHECK(accepted(kMost, {Kind::absolute, 1, 0}, "9223372036854775806"));
    CHECK_FALSE(accepted(kMost, {Kind::absolute, 1, 0}, "9223372036854775805"));
}

TEST_CASE("checkers: missing and extra keys are PE") {
    CHECK(judged(kTwo, R"("buffer.words":768)") ==
          Judgement{Verdict::presentation_error, Reason::missing_key});
    CHECK(judged(kTwo, R"("dram.reads.A":16384)") ==
          Judgement{Verdict::presentation_error, Reason::missing_key});
    CHECK(judged(kTwo, "") == Judgement{Verdict::presentation_error, Reason::missing_key});
    for (const char* extra : {"aaa", "c", "zzz", "dram.reads.a", ""})
        CHECK(judged(kTwo, R"("buffer.words":768,"dram.reads.A":16384,")" + std::string(extra) +
                               "\":1") ==
              Judgement{Verdict::presentation_error, Reason::extra_key});
    CHECK(judged(kTwo, R"("buffer.words":768,"Dram.reads.A":16384)") ==
          Judgement{Verdict::presentation_error, Reason::missing_key});
}

TEST_CASE("checkers: not a number of ours") {
    CHECK(judged(kTwo, R"("buffer.words":768,"dram.reads.A":NaN)") ==
          Judgement{Verdict::wrong_answer, Reason::non_finite});
    CHECK(judged(kTwo, R"("buffer.words":-Infinity,"dram.reads.A":16384)") ==
          Judgement{Verdict::wrong_answer, Reason::non_finite});
    CHECK(judged(kTwo, R"("buffer.words":768.5,"dram.reads.A":16384)") ==
          Judgement{Verdict::wrong_answer, Reason::not_integer});
    for (const char* text : {"true", "null", "\"16384\""})
        CHECK(judged(kTwo, R"("buffer.words":768,"dram.reads.A":)" + std::string(text)) ==
              Judgement{Verdict::presentation_error, Reason::unreadable});
}

TEST_CASE("checkers: the gravest of several reasons is told, every mismatch is kept") {
    CHECK(judged(kTwo, R"("buffer.words":1.5,"dram.reads.A":1)").reason == Reason::not_integer);
    CHECK(judged(kTwo, R"("buffer.words":1.5,"dram.reads.A":NaN)").reason == Reason::non_finite);
    CHECK(judged(kTwo, R"("buffer.words":NaN)").reason == Reason::missing_key);
    CHECK(judged(kTwo, R"("buffer.words":NaN,"x":1)").reason == Reason::missing_key);
    const CheckResult result = check(kTwo, R"({"answer":{"buffer.words":1,"x":2}})");
    REQUIRE(result.mismatches.size() == 3);
    CHECK(result.mismatches[0].quantity == "buffer.words");
    CHECK(result.mismatches[0].expected == 768);
    CHECK(result.mismatches[0].actual == "1");
    CHECK(result.mismatches[1].quantity == "dram.reads.A");
    CHECK(result.mismatches[1].hint == "missing");
    CHECK(result.mismatches[2].quantity == "x");
    CHECK(result.mismatches[2].hint == "extra");
}

TEST_CASE("checkers: extra keys are cut in number and length") {
    std::string values;
    for (int i = 0; i < 1000; ++i)
        values += "\"" + std::string(500, 'x') + std::to_string(i) + "\":1,";
    const CheckResult result =
        check(kTwo, "{\"answer\":{" + values + R"("buffer.words":768,"dram.reads.A":16384}})");
    CHECK(result.judgement.reason == Reason::extra_key);
    CHECK(result.mismatches.size() == 16);
    CHECK(result.mismatches[0].quantity.size() == 80);
}

TEST_CASE("checkers: no answer, an exception, a second record") {
    CHECK(check(kTwo, "").judgement == Judgement{Verdict::presentation_error, Reason::no_answer});
    const CheckResult thrown = check(kTwo, "{\"exception\":\"boom\"}");
    CHECK(thrown.exception == "boom");
    CHECK(thrown.judgement.verdict != Verdict::accepted);
    CHECK_FALSE(check(kTwo, "{\"exception\":\"\"}").exception.empty());
    const std::string right = R"({"answer":{"buffer.words":768,"dram.reads.A":16384}})";
    const CheckResult twice = check(kTwo, right + "\n" + right + "\n");
    CHECK(twice.judgement == Judgement{Verdict::presentation_error, Reason::extra_answer});
    CHECK(has(twice.flags, grader::Flag::tamper));
    CHECK_FALSE(has(check(kTwo, right).flags, grader::Flag::tamper));
}

TEST_CASE("checkers: nothing expected is our fault") {
    CHECK(check({}, "{\"answer\":{}}").judgement.verdict == Verdict::judge_error);
}

TEST_CASE("checkers: absolute tolerance") {
    const Tolerance tolerance{Kind::absolute, 2, 0};
    for (const char* text : {"98", "100", "102", "101.5", "98.0"})
        CHECK(accepted(100, tolerance, text));
    for (const char* text : {"97", "103", "102.001", "NaN", "Infinity"})
        CHECK_FALSE(accepted(100, tolerance, text));
}

TEST_CASE("checkers: relative tolerance, and expected 0 accepts only 0") {
    const Tolerance tolerance{Kind::relative, 0, 0.1};
    for (const char* text : {"90", "110", "109.9"}) CHECK(accepted(100, tolerance, text));
    for (const char* text : {"89", "111", "-100"}) CHECK_FALSE(accepted(100, tolerance, text));
    for (const char* text : {"0", "-0", "0.0", "-0.0"}) CHECK(accepted(0, tolerance, text));
    for (const char* text : {"1", "1e-300", "-1"}) CHECK_FALSE(accepted(0, tolerance, text));
    CHECK(accepted(-100, tolerance, "-95"));
}

TEST_CASE("checkers: either and sum differ") {
    const std::string actual = "1000.0149";
    CHECK_FALSE(accepted(1000, {Kind::either, 0.01, 1e-5}, actual));
    CHECK(accepted(1000, {Kind::sum, 0.01, 1e-5}, actual));
    CHECK(accepted(1000, {Kind::either, 0.02, 0}, actual));
    CHECK(accepted(1000, {Kind::either, 0, 2e-5}, actual));
    CHECK(accepted(0, {Kind::either, 0.5, 0.1}, "0.5"));
    CHECK(accepted(0, {Kind::sum, 0.5, 0.1}, "0.5"));
    for (const Kind kind : {Kind::either, Kind::sum, Kind::absolute, Kind::relative})
        for (const char* text : {"NaN", "Infinity", "-Infinity"})
            CHECK_FALSE(accepted(1000, {kind, 1e18, 1}, text));
}

TEST_CASE("checkers: signed relative error, none where it has no value") {
    auto error = [](std::int64_t expected, const std::string& actual) {
        const CheckResult result =
            check({{"a", expected, {}, 0}}, "{\"answer\":{\"a\":" + actual + "}}");
        REQUIRE(result.mismatches.size() == 1);
        return result.mismatches[0].error;
    };
    CHECK(error(100, "150").value() == doctest::Approx(0.5));
    CHECK(error(100, "50").value() == doctest::Approx(-0.5));
    CHECK(error(100, "100.5").value() == doctest::Approx(0.005));
    CHECK_FALSE(error(0, "5").has_value());
    CHECK_FALSE(error(100, "NaN").has_value());
}

TEST_CASE("checkers: hints name suspicious ratios") {
    CHECK(hint(100, "200") == "x2");
    CHECK(hint(100, "50") == "x1/2");
    CHECK(hint(100, "1600") == "x16");
    CHECK(hint(100, "102400") == "x1024");
    CHECK(hint(1024, "1") == "x1/1024");
    CHECK(hint(100, "0") == "zero");
    CHECK(hint(0, "100") == "should_be_zero");
    CHECK(hint(100, "101") == "off_by_one");
    CHECK(hint(100, "-100") == "negated");
    CHECK(hint(100, "130", 30) == "one_tile_more");
    CHECK(hint(100, "70", 30) == "one_tile_less");
    CHECK(hint(100, "37").empty());
    CHECK(hint(100, "100.5").empty());
    CHECK(hint(-9223372036854775807, "9223372036854775807") == "");
}

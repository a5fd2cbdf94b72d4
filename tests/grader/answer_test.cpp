// Tests of grader/answer.hpp: what counts as a record, and numbers without loss.
// Not of comparison.
// Run by the unit suite.
#include "grader/answer.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using grader::Answer;
using grader::AnswerNumber;
using grader::read_answer;
using Form = grader::Answer::Form;
using Kind = grader::AnswerNumber::Kind;

namespace {

AnswerNumber number(const std::string& text) {
    const Answer answer = read_answer("{\"answer\":{\"a\":" + text + "}}");
    CAPTURE(text);
    REQUIRE(answer.form == Form::numbers);
    REQUIRE(answer.numbers.size() == 1);
    return answer.numbers.front();
}

Form form(std::string_view bytes) {
    CAPTURE(bytes);
    return read_answer(bytes).form;
}

}  // namespace

TEST_CASE("answer: integers up to 2^63-1 are kept without loss") {
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{-7}, std::int64_t{9007199254740993},
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        CHECK(number(std::to_string(value)).kind == Kind::whole);
        CHECK(number(std::to_string(value)).whole == value);
    }
    CHECK(number("-0").kind == Kind::whole);
    CHECK(number("-0").whole == 0);
}

TEST_CASE("answer: whole numbers outside 64 bits are said to be beyond") {
    for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551616",
                             "123456789012345678901234567890"})
        CHECK(number(text).kind == Kind::beyond);
}

TEST_CASE("answer: floats with an integral value up to 2^53 are that integer") {
    struct Row {
        const char* text;
        std::int64_t value;
    };
    for (const Row& row : {Row{"16384.0", 16384}, Row{"1.6384e4", 16384}, Row{"1E3", 1000},
                           Row{"-0.0", 0}, Row{"0e99", 0}, Row{"12000e-3", 12}, Row{"-5.0", -5},
                           Row{"0.003e+3", 3}, Row{"9007199254740992.0", 9007199254740992},
                           Row{"9.007199254740992e15", 9007199254740992},
                           Row{"1e15", 1000000000000000}, Row{"100.000", 100}}) {
        CHECK(number(row.text).kind == Kind::whole);
        CHECK(number(row.text).whole == row.value);
    }
}

TEST_CASE("answer: other floats are fractions, however close") {
    for (const char* text :
         {"0.5", "16384.5", "1e-5", "9007199254740993.0", "9007199254740992.5", "1e16", "1e300",
          "16384.00000000000000000001", "1e-99999999999999999999", "-0.1", "12e-1"})
        CHECK(number(text).kind == Kind::fraction);
}

TEST_CASE("answer: NaN and infinities are recognised, other spellings are not") {
    for (const char* text : {"NaN", "Infinity", "-Infinity"}) {
        CHECK(number(text).kind == Kind::non_finite);
        CHECK(number(text).text == text);
    }
    for (const char* text : {"nan", "-NaN", "inf", "-inf", "+Infinity", "-nan(0x1)", "1e400", "+1",
                             "01", "1.", ".5", "0x10", "1_000"})
        CHECK(form("{\"answer\":{\"a\":" + std::string(text) + "}}") == Form::unreadable);
}

TEST_CASE("answer: values that are no numbers make the record unreadable") {
    for (const char* text : {"true", "false", "null", "\"12\"", "[1]", "{}", "[]", "{\"b\":1}"})
        CHECK(form("{\"answer\":{\"a\":" + std::string(text) + "}}") == Form::unreadable);
}

TEST_CASE("answer: one newline may follow, nothing else") {
    const std::string record = "{\"answer\":{\"a\":1}}";
    CHECK(form(record) == Form::numbers);
    CHECK(form(record + "\n") == Form::numbers);
    CHECK(form(" " + record) == Form::numbers);
    for (const char* after : {"\n\n", " ", "\r\n", "x", "}", "{\"answer\":{\"a\":2}}",
                              "\n{\"answer\":{\"a\":2}}\n", "{\"exception\":\"x\"}"})
        CHECK(form(record + after) == Form::extra);
    CHECK(form(record + std::string(1, '\0')) == Form::extra);
    CHECK(form("{\"exception\":\"x\"}" + record) == Form::extra);
    CHECK(form("{\"answer\":{\"a\":true}}" + record) == Form::extra);
}

TEST_CASE("answer: nothing is none") {
    CHECK(form("") == Form::none);
    CHECK(form("\n") == Form::none);
    CHECK(form("  \r\n") == Form::none);
}

TEST_CASE("answer: every cut of a record is unreadable") {
    const std::string record = R"({"answer":{"dram.reads.A":16384,"b":1.5e3}})";
    for (std::size_t length = 1; length < record.size(); ++length)
        CHECK(form(record.substr(0, length)) == Form::unreadable);
}

TEST_CASE("answer: other shapes are unreadable") {
    for (const char* text : {"{}",
                             "[]",
                             "1",
                             "null",
                             "\"x\"",
                             "{\"answer\":1}",
                             "{\"answer\":[]}",
                             "{\"answer\":null}",
                             "{\"Answer\":{\"a\":1}}",
                             "{\"answer\":{\"a\":1},\"more\":2}",
                             "{\"answer\":{\"a\":1,}}",
                             "{\"answer\":{a:1}}",
                             "{\"answer\":{'a':1}}",
                             "{\"answer\":{\"a\" 1}}",
                             "hello",
                             "PASS {\"answer\":{\"a\":1}}",
                             "{\"exception\":1}",
                             "{\"exception\":null}",
                             "{\"answer\":{\"a\":1},\"exception\":\"x\"}",
                             "{\"a\":1}",
                             "/**/{\"answer\":{\"a\":1}}"})
        CHECK(form(text) == Form::unreadable);
}

TEST_CASE("answer: repeated keys are unreadable") {
    CHECK(form(R"({"answer":{"a":1,"a":1}})") == Form::unreadable);
    CHECK(form(R"({"answer":{"a":1,"\u0061":2}})") == Form::unreadable);
    CHECK(form(R"({"answer":{"a":1},"answer":{"a":1}})") == Form::unreadable);
}

TEST_CASE("answer: braces and quotes within names do not end a record") {
    const Answer answer = read_answer(R"({"answer":{"}{\"x":1,"\\":2}})");
    REQUIRE(answer.form == Form::numbers);
    CHECK(answer.numbers.size() == 2);
}

TEST_CASE("answer: hostile sizes and bytes are safe") {
    CHECK(form(std::string(1'000'000, '{')) == Form::unreadable);
    CHECK(form("{\"answer\":{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') +
               "}}") == Form::unreadable);
    std::string deep;
    for (int i = 0; i < 50'000; ++i) deep += "{\"a\":";
    deep += "1" + std::string(50'000, '}');
    CHECK(form(deep) == Form::unreadable);
    CHECK(form("{\"answer\":{\"a\":" + std::string(8'000'000, '1') + "}}") == Form::unreadable);
    CHECK(form("{\"answer\":{\"\xff\":1}}") == Form::unreadable);
    CHECK(form("{\"answer\":{\"\xed\xa0\x80\":1}}") == Form::unreadable);
    CHECK(form("{\"answer\":{\"\\ud800\":1}}") == Form::unreadable);
    CHECK(form("{\"answer\":{\"a" + std::string(1, '\0') + "\":1}}") == Form::unreadable);
    CHECK(form("\xef\xbb\xbf{\"answer\":{\"a\":1}}") == Form::unreadable);
    std::string many = "{\"answer\":{";
    for (int i = 0; i < 200'000; ++i) many += (i ? ",\"" : "\"") + std::to_string(i) + "\":1";
    CHECK(form(many + "}}") == Form::unreadable);
}

TEST_CASE("answer: an exception is told, cut, and not an answer") {
    const Answer answer = read_answer("{\"exception\":\"KeyError: 'M'\"}\n");
    CHECK(answer.form == Form::exception);
    CHECK(answer.exception == "KeyError: 'M'");
    CHECK(read_answer("{\"exception\":\"" + std::string(100'000, 'x') + "\"}").exception.size() ==
          4096);
}

TEST_CASE("answer: numbers are sorted by name and their text is cut") {
    const Answer answer = read_answer(R"({"answer":{"b":1,"a":2,"B":3}})");
    REQUIRE(answer.numbers.size() == 3);
    CHECK(answer.numbers[0].name == "B");
    CHECK(answer.numbers[1].name == "a");
    CHECK(answer.numbers[2].name == "b");
    CHECK(number("0." + std::string(200, '1')).text.size() == 80);
}

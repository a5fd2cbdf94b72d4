// Tests of grader/json.hpp.
// No other module.
// Run by the unit suite.
#include "grader/json.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

using grader::dump;
using grader::Json;
using grader::JsonNotes;
using grader::JsonOptions;
using grader::parse_json;
using namespace std::string_literals;

namespace {

std::string error_of(std::string_view text, const JsonOptions& options = {}) {
    const auto value = parse_json(text, options);
    return value ? "read as " + dump(*value) : value.error().what;
}

bool refused(std::string_view text, const JsonOptions& options = {}) {
    return !parse_json(text, options);
}

}  // namespace

TEST_CASE("json: what is read is written back, keys in their order") {
    const std::string text = R"({"z":1,"a":[true,null,"x\n\"é"],"m":{},"e":[],"f":1.50,"g":-2e3})";
    const auto value = parse_json(" " + text + "\n");
    REQUIRE(value);
    CHECK(dump(*value) == text);
    CHECK(*parse_json(dump(*value)) == *value);
}

TEST_CASE("json: integers keep every bit and floats keep their text") {
    const auto value = parse_json(
        "[9223372036854775807,-9223372036854775808,9223372036854775808,1.0,1e2,-0,"
        "123456789012345678901]");
    REQUIRE(value);
    const Json::Array& items = *value->array_items();
    CHECK(*items[0].integer() == INT64_MAX);
    CHECK(*items[1].integer() == INT64_MIN);
    CHECK_FALSE(items[2].integer());
    CHECK(items[2].real()->text == "9223372036854775808");
    CHECK(items[3].real()->text == "1.0");
    CHECK(items[4].real()->value == 100.0);
    CHECK(*items[5].integer() == 0);
    CHECK(items[6].real()->text == "123456789012345678901");
}

TEST_CASE("json: refused documents") {
    for (const char* text : {"",
                             " ",
                             "{",
                             "[1,]",
                             "{\"a\":1,}",
                             "{\"a\":1,\"a\":2}",
                             "{\"a\":{\"b\":1,\"c\":2,\"b\":3}}",
                             "01",
                             "+1",
                             "1.",
                             ".5",
                             "0x10",
                             "tru",
                             "'a'",
                             "{a:1}",
                             "[1] [2]",
                             "[1]x",
                             "// c\n1",
                             "\"\t\"",
                             "\"\\x\"",
                             "\"\\u12\"",
                             "\"abc",
                             "\"\\",
                             "nan",
                             "Inf",
                             "1e999",
                             "-",
                             "\xEF\xBB\xBF{}",
                             "nullnull"})
        CHECK_MESSAGE(refused(text), text);
    CHECK(refused("{\"a\":1}\0"s));
    CHECK(refused("{\"a\":1}\0{\"b\":2}"s));
    CHECK(refused("\"a\0b\""s));
    CHECK(refused("\"\\\0\""s));
    CHECK(error_of("{\"a\":1,\"a\":2}") == "key \"a\" appears twice");
    CHECK(error_of("[1] 2").find("offset ") == 0);
}

TEST_CASE("json: a key that differs only in its spelling is the same key") {
    CHECK(refused(R"({"a":1,"\u0061":2})"));
}

TEST_CASE("json: limits on depth, size and number of values") {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK_FALSE(refused(nested(16)));
    CHECK(refused(nested(17)));
    CHECK(refused(nested(1'000'000)));
    JsonOptions options;
    options.max_values = 3;
    CHECK_FALSE(refused("[1,2]", options));
    CHECK(refused("[1,2,3]", options));
    options.max_bytes = 4;
    CHECK(error_of("[1,2]", options) == "5 bytes of JSON, at most 4 are read");
}

TEST_CASE("json: bytes that are not UTF-8 are refused, or replaced and counted") {
    JsonOptions lenient;
    lenient.bad_text = JsonOptions::Bad::replace;
    for (const char* bad :
         {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
        const std::string text = "\"a" + std::string(bad) + "z\"";
        CHECK(refused(text));
        JsonNotes notes;
        const auto value = parse_json(text, lenient, &notes);
        REQUIRE(value);
        CHECK(notes.replaced_bytes == std::string(bad).size());
        CHECK(value->string()->starts_with("a\xEF\xBF\xBD"));
    }
    CHECK(refused("\"\\\xFF\"", lenient));
    CHECK(*parse_json("\"é€😀\"")->string() == "é€😀");
}

TEST_CASE("json: lone surrogates are refused, or replaced and counted; pairs are read") {
    JsonOptions lenient;
    lenient.bad_text = JsonOptions::Bad::replace;
    CHECK(refused(R"("\ud83d")"));
    JsonNotes notes;
    const auto value =
        parse_json(R"(["\ud83d","\ude00x","\ud83d\ude00","\\ud83d"])", lenient, &notes);
    REQUIRE(value);
    CHECK(notes.replaced_surrogates == 2);
    const Json::Array& items = *value->array_items();
    CHECK(*items[0].string() == "\xEF\xBF\xBD");
    CHECK(*items[1].string() == "\xEF\xBF\xBDx");
    CHECK(*items[2].string() == "😀");
    CHECK(*items[3].string() == "\\ud83d");
}

TEST_CASE("json: an escaped NUL is a character like others") {
    const auto value = parse_json(R"("a\u0000b")");
    REQUIRE(value);
    CHECK(*value->string() == "a\0b"s);
    CHECK(dump(*value) == R"("a\u0000b")");
}

TEST_CASE("json: non-finite tokens are read only on request") {
    CHECK(refused("NaN"));
    JsonOptions options;
    options.non_finite = true;
    const auto value = parse_json(R"([null,NaN,"NaN",Infinity,null,-Infinity])", options);
    REQUIRE(value);
    const Json::Array& items = *value->array_items();
    CHECK(items[0].is_null());
    CHECK(std::isnan(items[1].real()->value));
    CHECK(*items[2].string() == "NaN");
    CHECK(items[3].real()->value == INFINITY);
    CHECK(items[4].is_null());
    CHECK(items[5].real()->text == "-Infinity");
    CHECK(refused("NaNull", options));
    CHECK(refused("{NaN:1}", options));
    CHECK(refused("-NaN", options));
}

TEST_CASE("json: writing never fails and does not depend on how a value was made") {
    CHECK(dump("a\xFFz") == "\"a\xEF\xBF\xBDz\"");
    CHECK(dump(std::nan("")) == "null");
    CHECK(dump(0.1) == "0.1");
    CHECK(dump(3.0) == "3.0");
    CHECK(dump(1e300) == "1e+300");
    CHECK(dump("\x01\x7F/") == "\"\\u0001\x7F/\"");
    CHECK(dump(Json()) == "null");
    Json made = Json::object({{"b", 1}, {"a", Json::array({1, "x", false})}});
    made.set("c", Json::object()).set("b", 2U);
    CHECK(dump(made) == R"({"b":2,"a":[1,"x",false],"c":{}})");
}

TEST_CASE("json: typed getters say what is due and what is there") {
    const Json value = *parse_json(R"({"s":"x","i":7,"f":1.5,"o":{},"a":[]})");
    CHECK(*grader::get_string(value, "s") == "x");
    CHECK(*grader::get_int(value, "i") == 7);
    CHECK(*grader::get_number(value, "f") == 1.5);
    CHECK(*grader::get_number(value, "i") == 7.0);
    CHECK(grader::get_array(value, "a"));
    CHECK(grader::get_object(value, "o"));
    CHECK(grader::get_int(value, "f").error().what ==
          "key \"f\": expected an integer, found a number that is no 64-bit integer");
    CHECK(grader::get_int(value, "i", {0, 6}).error().what == "key \"i\": 7 is not within 0 to 6");
    CHECK(grader::get_string(value, "t").error().what == "key \"t\" is missing (a string is due)");
    CHECK(grader::get_bool(Json(1), "t").error().what == "expected an object, found an integer");
    constexpr std::array<std::string_view, 3> kKnown{"s", "i", "f"};
    CHECK(grader::check_keys(value, kKnown).error().what == "unknown key \"o\"");
}

TEST_CASE("json: a million keys or nulls cost no square") {
    std::string keys = "{";
    for (int i = 0; i < 300'000; ++i) keys += "\"k" + std::to_string(i) + "\":NaN,";
    keys += "\"end\":null}";
    JsonOptions options;
    options.non_finite = true;
    const auto value = parse_json(keys, options);
    REQUIRE(value);
    CHECK(value->members()->size() == 300'001);
}

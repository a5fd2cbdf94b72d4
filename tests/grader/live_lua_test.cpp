// perfjudge-lua in a real jail: what the record says for every kind of answer and attack.
// Judges nothing: bytes and endings are compared.
// Run by the live suite.
#include "grader/lua_host.hpp"
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

using grader::CaseOutput;
using grader::Language;
using live::Stage;
using sandbox::Ending;

namespace {

CaseOutput lua(std::string_view source) {
    return Stage::get().run(Language::lua, source);
}

std::string body(std::string_view statement) {
    return "function predict(workload, architecture, mapping) " + std::string(statement) + " end\n";
}

void check_record(std::string_view source, std::string_view record, int exit_code) {
    CAPTURE(source);
    const CaseOutput output = lua(source);
    CAPTURE(output.outcome.err);
    CHECK(output.outcome.ending == Ending::exited);
    CHECK(output.outcome.exit_code == exit_code);
    CHECK(output.outcome.answer == record);
}

/// The end of an endless submission: our host's exit, never a record.
void check_out_of_instructions(std::string_view source) {
    CAPTURE(source);
    const CaseOutput output = lua(source);
    CHECK(output.out_of_instructions);
    CHECK(output.outcome.exit_code == grader::kLuaOutOfInstructions);
    CHECK(output.outcome.answer.empty());
}

}  // namespace

TEST_CASE("lua entry: values keep their kind") {
    check_record(body("return {a = math.maxinteger}"), R"({"answer":{"a":9223372036854775807}})",
                 0);
    check_record(body("return {a = 1.0}"), R"({"answer":{"a":1.0}})", 0);
    check_record(body("return {a = 1e15}"), R"({"answer":{"a":1000000000000000.0}})", 0);
    check_record(body("return {a = 0/0}"), R"({"answer":{"a":NaN}})", 0);
    check_record(body("return {a = -1/0}"), R"({"answer":{"a":-Infinity}})", 0);
    check_record(body("return {a = 1e300}"), R"({"answer":{"a":1.0000000000000001e+300}})", 0);
    check_record(body("return {a = true}"), R"({"answer":{"a":true}})", 0);
    check_record(body("return {a = {}}"), R"({"answer":{"a":"<table>"}})", 0);
    check_record(body("return {5}"), R"({"answer":{"<number>":5}})", 0);
    check_record(body("return 'x\\0\\255'"), R"({"answer":"x\u0000\u00ff"})", 0);
    check_record(body(""), R"({"answer":null})", 0);
}

TEST_CASE("lua entry: the case arrives as three tables, null is nil") {
    check_record(body("return {a = workload.dimensions.M + #architecture.levels + "
                      "(architecture.levels[1].capacity_words == nil and 100 or 0) + "
                      "mapping.levels[1].temporal[1][2]}"),
                 R"({"answer":{"a":113}})", 0);
}

TEST_CASE("lua entry: errors choose the record") {
    check_record(body("error('boo')"), R"({"exception":"submission.lua:1: boo"})", 1);
    check_record(body("error({})"), R"({"exception":"error of type table"})", 1);
    check_record("x =", R"({"exception":"submission.lua:1: unexpected symbol near <eof>"})", 1);
    check_record("x = 1", R"({"exception":"there is no global function predict"})", 1);
}

TEST_CASE("lua entry: nothing dangerous is offered, binary chunks are not read") {
    for (const char* name :
         {"os", "io", "require", "package", "debug", "dofile", "loadfile", "string.dump"}) {
        CAPTURE(name);
        CHECK(
            lua(body(std::string("return {a = ") + name + " == nil and 1 or 0}")).outcome.answer ==
            R"({"answer":{"a":1}})");
    }
    check_record(body("return {a = load('\\27Lua', 'x', 'b') == nil and 1 or 0}"),
                 R"({"answer":{"a":1}})", 0);
    check_record(body("return {a = load('return x', 'n', 't', {x = 7})()}"),
                 R"({"answer":{"a":7}})", 0);
}

TEST_CASE("lua entry: metatables are not asked") {
    check_record(
        "setmetatable(_G, {__index = function() error('asked') end})\n"
        "getmetatable('').__index = nil string.format = nil\n" +
            body("return setmetatable({a = 1}, {__pairs = error, __index = error})"),
        R"({"answer":{"a":1}})", 0);
}

TEST_CASE("lua entry: no finaliser writes, or runs, after the record") {
    const CaseOutput output =
        lua("setmetatable({}, {__gc = function() print('late') end})\n" + body("return {a = 1}"));
    CHECK(output.outcome.answer == R"({"answer":{"a":1}})");
    CHECK(output.outcome.out.empty());
}

TEST_CASE("lua entry: instructions are counted in every coroutine, and no pcall stops the end") {
    check_out_of_instructions(body("while true do end"));
    check_out_of_instructions(body("while true do pcall(function() while true do end end) end"));
    check_out_of_instructions(
        body("coroutine.resume(coroutine.create(function() while true do end end))"));
    check_out_of_instructions(body(
        "local co = coroutine.wrap(function() pcall(function() while true do end end) end) co()"));
    check_out_of_instructions("while true do end");
}

TEST_CASE("lua entry: order and addresses are the same in every run") {
    const std::string source =
        body("for k, v in pairs(_G) do print(k, v) end print({}, function() end) return {}");
    const CaseOutput first = lua(source);
    CHECK(!first.outcome.out.empty());
    CHECK(first.outcome.out == lua(source).outcome.out);
}

TEST_CASE("lua entry: random numbers are fresh in every run") {
    const std::string source = body("return {a = math.random(0)}");
    CHECK(lua(source).outcome.answer != lua(source).outcome.answer);
}

TEST_CASE("lua entry: work inside one library call ends by the CPU limit") {
    const CaseOutput output = lua(body("return {a = ('a'):rep(60):find(('a-'):rep(60) .. 'b')}"));
    CHECK(output.outcome.ending == Ending::cpu_limit);
    CHECK(output.outcome.answer.empty());
}

TEST_CASE("lua entry: memory is limited") {
    const CaseOutput output =
        lua(body("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end"));
    CHECK(output.outcome.ending == Ending::memory_limit);
}

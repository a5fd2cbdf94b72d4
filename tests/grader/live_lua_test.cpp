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

/// With a budget that is used up soon.
CaseOutput lua_for_half_a_second(std::string_view source) {
    Stage& stage = Stage::get();
    const sandbox::Limits before = stage.limits;
    stage.limits.cpu_time = std::chrono::milliseconds(500);
    CaseOutput output = lua(source);
    stage.limits = before;
    return output;
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

TEST_CASE("lua entry: work inside library calls ends at the same place in every run") {
    for (const std::string_view statement : {
             "('a'):rep(60):find(('a-'):rep(60) .. 'b')",
             "('a'):rep(30000):find(('a?'):rep(100) .. ('a'):rep(100) .. 'b')",
             "('('):rep(30000):gsub('%b()', '')",
             "('a'):rep(30000):gsub('.-b', '')",
             "for s in ('a'):rep(30000):gmatch('.-b') do end",
             "('a'):rep(100000):find(('a'):rep(50000) .. 'b', 1, true) goto again",
             "('a'):find('[' .. ('b'):rep(100000) .. ']-[' .. ('b'):rep(100000) .. ']') goto again",
             "(''):rep(math.maxinteger)",
             "('x'):rep(1000, ('y'):rep(1000)) goto again",
             "string.format('%s%s', ('x'):rep(1000000), 'y') goto again",
             "('x'):rep(1000000):upper():lower():reverse() goto again",
             "pcall(string.unpack, 'z', ('x'):rep(1000000)) goto again",
             "('x'):rep(100000):byte(1, -1) goto again",
             "utf8.len(('x'):rep(1000000)) goto again",
             "local t = {} for i = 1, 200000 do t[i] = 'x' end while true do table.concat(t, ',') "
             "end",
             "local t = {} for i = 1, 1000000 do t[i] = -i end while true do table.sort(t) end",
             "local t = {} while true do table.insert(t, 1, 0) end",
             "local t = {} for i = 1, 200000 do t[i] = i end while true do table.remove(t, 1) end",
             "table.move({}, 1, 1 << 60, 2)",
             "local t = {} while true do select('#', table.unpack(t, 1, 200000)) end",
             "local function f(...) while true do local n = select('#', ...) end end "
             "f(table.unpack({}, 1, 200000))",
             "local s = '' while true do s = s .. 'x' end",
             "local a, b = ('x'):rep(1000000), ('x'):rep(999999) b = b .. 'x' "
             "while true do local c = a == b or a < b end",
             "local s = (' '):rep(1000000) .. '1' while true do local n = s + 1 end",
             "local s = ('x = 1 '):rep(10000) while true do load(s) end",
             "load(function() return ' ' end)",
             "while true do setmetatable({}, {__gc = function() while true do end end}) end",
             "while true do local x <close> = setmetatable({}, {__close = function() "
             "for i = 1, 900 do end end}) end",
             "while true do coroutine.wrap(function() for i = 1, 900 do end end)() end",
             "while true do coroutine.close(coroutine.create(print)) end",
             "local t = {} for i = 1, 100000 do t[i] = {} end while true do collectgarbage() end",
             "local t = {} for i = 1, 100000 do t[i] = {} end collectgarbage('setpause', 0) "
             "collectgarbage('incremental', 0, 1000, 60) while true do local x = {} end",
             "while true do local s = 1e300 .. '' end",
             "for i = 1, 100000 do _G['x' .. i] = i end while true do pcall(string.rep) end",
         }) {
        const std::string source = body("::again:: do " + std::string(statement) + " end");
        CAPTURE(statement);
        const CaseOutput first = lua_for_half_a_second(source);
        CHECK(first.out_of_instructions);
        CHECK(first.outcome.answer.empty());
        CHECK(first.outcome.err.find(" are missing") != std::string::npos);
        CHECK(first.outcome.err == lua_for_half_a_second(source).outcome.err);
    }
}

TEST_CASE("lua entry: what no budget sees ends by the CPU limit") {
    const CaseOutput output =
        lua(body("local t = {} for i = 1, 1 << 20 do t[i + 0.5] = 1 end "
                 "for k in pairs(t) do t[k] = nil end while true do next(t) end"));
    CHECK(output.outcome.ending == Ending::cpu_limit);
    CHECK(output.outcome.answer.empty());
}

TEST_CASE("lua entry: a string larger than the memory ends by the memory limit") {
    const CaseOutput output = lua(body("return {a = #('x'):rep(1 << 30)}"));
    CHECK(output.outcome.ending == Ending::memory_limit);
}

TEST_CASE("lua entry: memory is limited") {
    const CaseOutput output =
        lua(body("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end"));
    CHECK(output.outcome.ending == Ending::memory_limit);
}

// Tests of grader/definition.hpp.
// No other module.
// Run by the unit suite.
#include "grader/definition.hpp"

#include <doctest/doctest.h>

using grader::defines;
using grader::Language;

TEST_CASE("definition: C++ bodies count, declarations and calls do not") {
    const auto cpp = [](const char* code) { return defines(code, Language::cpp, "predict"); };
    CHECK(
        cpp("Prediction predict(const Workload& w, const Architecture&, const Mapping& m) { return "
            "{}; }"));
    CHECK(cpp("auto predict(W w)\n  -> std::map<std::string, std::int64_t>\n{ return {}; }"));
    CHECK(cpp("std::map<A, B> predict(int) noexcept(true) // why\n{ }"));
    CHECK(cpp("extern \"C\" {\nPrediction predict(W w) { } }"));
    CHECK(cpp("namespace a { namespace b { int predict() {} } }"));
    CHECK(cpp("static int x = 1'000; char c = '\"'; int predict() {}"));
    CHECK(cpp("int helper() { return predict(1); }\nint predict(int) { return 1; }"));
    CHECK(cpp("#define A \\\n {\nint predict() {}"));
    CHECK(cpp("/* { */ // {\nconst char* s = R\"x({)\")x\"; int predict() {}"));
    CHECK_FALSE(cpp("Prediction predict(const Workload&, const Architecture&, const Mapping&);"));
    CHECK_FALSE(cpp("int main() { auto p = predict(w, a, m); if (predict(w)) { } }"));
    CHECK_FALSE(cpp("int main() { return predict(w); } { }"));
    CHECK_FALSE(
        cpp("// int predict() {}\n/* int predict() {} */ const char* s = \"int predict() {}\";"));
    CHECK_FALSE(cpp("struct S { int predict() { return 1; } };"));
    CHECK_FALSE(cpp("int S::predict() { return 1; }"));
    CHECK_FALSE(cpp("int predict_all() {} int my_predict() {}"));
    CHECK_FALSE(cpp("#define predict(x) { x }"));
    CHECK_FALSE(cpp("int predict() = delete; { }"));
    CHECK_FALSE(cpp("def predict(w, a, m):\n    return {}"));
    CHECK_FALSE(cpp("function predict(w, a, m)\n  return {}\nend"));
}

TEST_CASE("definition: Python functions and assignments of the module count") {
    const auto python = [](const char* code) { return defines(code, Language::python, "predict"); };
    CHECK(python("def predict(workload, architecture, mapping):\n    return {}\n"));
    CHECK(python("import x\r\n\r\ndef predict (w,\r\n  a): pass"));
    CHECK(python("async def predict(w): pass"));
    CHECK(python("predict = lambda w, a, m: {}"));
    CHECK(python("predict: Callable = f"));
    CHECK(python("if True:\n    def predict(w): pass\n"));
    CHECK(python("class A:\n    def f(self):\n        pass\n\n# note\ndef predict(w): pass"));
    CHECK(python("x = '''\ndef f():\n'''\ndef predict(w): pass"));
    CHECK(python("x = (1,\n  2)\ndef predict(w): pass"));
    CHECK(python("s = 'it\\'s'\ndef predict(w): pass"));
    CHECK_FALSE(python("print(predict(w, a, m))\nresult = predict(w)\npredict(w)\n"));
    CHECK_FALSE(python("# def predict(w):\n'''\ndef predict(w): pass\n'''\n"));
    CHECK_FALSE(python("x = [\ndef predict\n]"));
    CHECK_FALSE(python("class A:\n    def predict(self): pass\n"));
    CHECK_FALSE(python("def outer():\n    def predict(w): pass\n    predict = 1\n"));
    CHECK_FALSE(python("def predict_all(w): pass\npredict == 1\nfrom m import predict\n"));
    CHECK_FALSE(python("predict = function(w) return {} end"));
}

TEST_CASE("definition: Lua globals count, locals and fields do not") {
    const auto lua = [](const char* code) { return defines(code, Language::lua, "predict"); };
    CHECK(lua("function predict(w, a, m) return {} end"));
    CHECK(lua("predict = function(w) return {} end"));
    CHECK(lua("_G.predict = f"));
    CHECK(lua("local function f() end\nfunction  predict (w) end"));
    CHECK(lua("--[[ x ]] function predict(w) end"));
    CHECK(lua("local s = [==[ ]] ]==] function predict(w) end"));
    CHECK_FALSE(lua("local function predict(w) end"));
    CHECK_FALSE(lua("local predict = function(w) end"));
    CHECK_FALSE(lua("function M.predict(w) end\nfunction M:predict() end\nM.predict = f"));
    CHECK_FALSE(lua("print(predict(w))\nif predict == nil then end"));
    CHECK_FALSE(lua(
        "-- function predict(w)\n--[[ function predict(w) end ]] local s = 'function predict()'"));
    CHECK_FALSE(lua("local t = {predict = 1, predict = 2}"));
    CHECK_FALSE(lua("local s = [[ function predict() end ]]"));
    CHECK_FALSE(lua("function predict_all() end"));
}

TEST_CASE("definition: diffs are told from code") {
    CHECK(grader::looks_like_diff("diff --git a b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n"));
    CHECK(grader::looks_like_diff("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"));
    CHECK(grader::looks_like_diff("*** Begin Patch\n*** Update File: x\n"));
    CHECK_FALSE(grader::looks_like_diff("--- a comment in Lua\nlocal x = 1\n"));
    CHECK_FALSE(grader::looks_like_diff("x = a << 7\n"));
}

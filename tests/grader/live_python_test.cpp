// The Python entry code in a real jail: what the record says for every kind of answer and attack.
// Judges nothing: bytes and endings are compared.
// Run by the live suite.
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

using grader::CaseOutput;
using grader::Language;
using live::Stage;
using sandbox::Ending;

namespace {

CaseOutput python(std::string_view source) {
    return Stage::get().run(Language::python, source);
}

std::string body(std::string_view statement) {
    return "def predict(workload, architecture, mapping):\n    " + std::string(statement) + "\n";
}

void check_record(std::string_view source, std::string_view record, int exit_code) {
    CAPTURE(source);
    const CaseOutput output = python(source);
    CAPTURE(output.outcome.err);
    CHECK(output.outcome.ending == Ending::exited);
    CHECK(output.outcome.exit_code == exit_code);
    CHECK(output.outcome.answer == record);
}

}  // namespace

TEST_CASE("python entry: values keep their kind") {
    check_record(
        body("return {'a': 1, 'b': -2.0, 'c': True, 'd': None, 'e': 2**70, 'f': 'x\"\\u20ac'}"),
        R"({"answer":{"a":1,"b":-2.0,"c":true,"d":null,"e":1180591620717411303424,)"
        R"("f":"\u0078\u0022\u20ac"}})",
        0);
    check_record(body("return {'a': float('nan'), 'b': float('inf'), 'c': -1e400, 'd': 1e16}"),
                 R"({"answer":{"a":NaN,"b":Infinity,"c":-Infinity,"d":1e+16}})", 0);
    check_record(body("return [1]"), R"({"answer":"<list>"})", 0);
    check_record(body("return {1: 2, 'a': {}}"), R"({"answer":{"<int>":2,"a":"<dict>"}})", 0);
}

TEST_CASE("python entry: the case arrives as three dicts") {
    check_record(body("return {'m': workload['dimensions']['M'], "
                      "'c': architecture['levels'][0]['capacity_words'], "
                      "'b': architecture['levels'][0]['read_bandwidth'], "
                      "'l': mapping['levels'][0]['temporal'][0][1]}"),
                 R"({"answer":{"m":6,"c":null,"b":0.5,"l":6}})", 0);
}

TEST_CASE("python entry: dict subclasses are dicts, other disguises are not numbers") {
    check_record(
        "import collections\n" + body("d = collections.defaultdict(int); d['a'] += 1; return d"),
        R"({"answer":{"a":1}})", 0);
    check_record(
        "class E(int):\n    def __eq__(self, other): return True\n"
        "    def __repr__(self): return '1'\n    __hash__ = int.__hash__\n" +
            body("return {'a': E(5)}"),
        R"({"answer":{"a":"<E>"}})", 0);
    check_record("class D(dict):\n    def items(self): return [('a', 1)]\n" + body("return D(b=2)"),
                 R"({"answer":{"b":2}})", 0);
}

TEST_CASE("python entry: exceptions choose the record, exits leave none") {
    check_record(body("return 1 // 0"),
                 R"({"exception":"ZeroDivisionError: integer division or modulo by zero"})", 1);
    check_record("def predict(w, a, m) return 1\n",
                 R"-({"exception":"SyntaxError: expected ':' (submission.py, line 1)"})-", 1);
    check_record(
        "x = 1\n",
        R"({"exception":"AttributeError: module 'submission' has no attribute 'predict'"})", 1);
    check_record("import sys\n" + body("sys.exit(0)"), "", 0);
    check_record("import sys\n" + body("sys.exit(3)"), "", 3);
    check_record("import os\n" + body("os._exit(0)"), "", 0);
    check_record("class E(Exception):\n    def __str__(self): raise E\n" + body("raise E"),
                 R"({"exception":"E"})", 1);
}

TEST_CASE("python entry: patched functions and late handlers change nothing") {
    check_record(
        "import atexit, builtins, os, json\n"
        "atexit.register(lambda: os.write(3, b'{}'))\n"
        "builtins.len = builtins.str = builtins.type = builtins.isinstance = None\n"
        "os.write = os._exit = json.dumps = None\n" +
            body("return {'a': 1}"),
        R"({"answer":{"a":1}})", 0);
    check_record(
        "class F:\n    def __del__(self):\n        import os; os.write(3, b'{}')\n"
        "keep = F()\n" +
            body("return {'a': 1}"),
        R"({"answer":{"a":1}})", 0);
}

TEST_CASE("python entry: forged records arrive beside ours") {
    const CaseOutput output =
        python("import os\n" + body("os.write(3, b'{\"answer\":{}}'); return {'a': 1}"));
    CHECK(output.outcome.answer == R"({"answer":{}}{"answer":{"a":1}})");
}

TEST_CASE("python entry: printed words stay outside the record") {
    const CaseOutput output = python(body("print('PASS'); return {'a': 1}"));
    CHECK(output.outcome.out == "PASS\n");
    CHECK(output.outcome.answer == R"({"answer":{"a":1}})");
}

TEST_CASE("python entry: dataclasses, annotations and the standard library work") {
    check_record(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from typing import NamedTuple\nimport fractions, heapq, json, re, statistics\n"
        "@dataclass\nclass X:\n    a: int\nclass Y(NamedTuple):\n    b: int\n" +
            body("return {'a': X(1).a + Y(2).b + json.loads('4')}"),
        R"({"answer":{"a":7}})", 0);
}

TEST_CASE("python entry: set order is the same in every run") {
    const std::string source = body("print(list({'a', 'b', 'c', 'd', 'e', 'f'})); return {}");
    CHECK(python(source).outcome.out == python(source).outcome.out);
}

TEST_CASE("python entry: nothing of ours is there to be read") {
    check_record(
        "import os\n" + body("return {'e': sorted(os.environ) == ['LC_ALL', 'PYTHONHASHSEED'], "
                             "'p': os.path.exists('/proc'), 'b': len(os.listdir('/box')), "
                             "'h': os.path.exists('/root') or os.path.exists('/home')}"),
        R"({"answer":{"e":true,"p":false,"b":0,"h":false}})", 0);
}

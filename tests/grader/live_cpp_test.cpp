// C++ submissions in real jails: entry object, limits of the compiler, attacks.
// Judges nothing: bytes and endings are compared.
// Run by the live suite.
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

using grader::Build;
using grader::CaseOutput;
using grader::Language;
using live::Stage;
using sandbox::Ending;

namespace {

constexpr std::string_view kInclude = "#include \"perfmodel.hpp\"\n";

std::string unit(std::string_view statement, std::string_view before = "") {
    return std::string(kInclude) + std::string(before) +
           "\nPrediction predict(const Workload& w, const Architecture& a, const Mapping& m) {\n"
           "(void)w; (void)a; (void)m;\n" +
           std::string(statement) + "\n}\n";
}

void check_record(std::string_view source, std::string_view record, int exit_code) {
    CAPTURE(source);
    const CaseOutput output = Stage::get().run(Language::cpp, source);
    CAPTURE(output.outcome.err);
    CHECK(output.outcome.ending == Ending::exited);
    CHECK(output.outcome.exit_code == exit_code);
    CHECK(output.outcome.answer == record);
}

Build refused(std::string_view source) {
    Build built = Stage::get().build(Language::cpp, source);
    CHECK(!built.program);
    CHECK(!built.output.built);
    return built;
}

}  // namespace

TEST_CASE("cpp entry: the case arrives whole and integers leave exactly") {
    check_record(
        unit(R"(const Level& l = a.levels.at(0);
        return {{"m", w.dimensions.at("M")}, {"c", w.tensors.at(0).ranks.at(0).at(0).coefficient},
                {"o", w.tensors.at(0).output}, {"u", l.capacity_words ? 1 : 0},
                {"b", static_cast<std::int64_t>(*l.read_bandwidth * 8)}, {"i", l.instances},
                {"k", static_cast<std::int64_t>(m.levels.at(0).keep.size())}, {"n", INT64_MIN}};)"),
        R"({"answer":{"b":4,"c":7,"i":1,"k":1,"m":6,"n":-9223372036854775808,"o":0,"u":0}})", 0);
}

TEST_CASE("cpp entry: exceptions choose the record") {
    check_record(unit("throw std::runtime_error(\"bad \\\"x\\\"\");", "#include <stdexcept>"),
                 R"({"exception":"bad \u0022x\u0022"})", 1);
    check_record(unit("throw 5;"), R"({"exception":"an exception that is no std::exception"})", 1);
}

TEST_CASE("cpp entry: a main of the submission is kept apart and never runs") {
    check_record(unit("return {{\"a\", 1}};",
                      "#include <cstdio>\nint main() { std::puts(\"mine\"); return 9; }"),
                 R"({"answer":{"a":1}})", 0);
}

TEST_CASE("cpp entry: symbols of a submission do not reach the record") {
    check_record(unit("return {{\"a\", 1}};", R"(
        extern "C" long write(int, const void*, unsigned long) { return -1; }
        extern "C" long syscall(long, ...) { return 0; }
        extern "C" void _exit(int) { __builtin_trap(); }
        namespace std { template <> void vector<Loop>::push_back(Loop&&) { __builtin_trap(); } })"),
                 R"({"answer":{"a":1}})", 0);
}

TEST_CASE("cpp entry: destructors and exit handlers do not follow the record") {
    const CaseOutput output = Stage::get().run(
        Language::cpp, unit("std::atexit([] { (void)!write(3, \"{}\", 2); }); return {{\"a\", 1}};",
                            "#include <cstdlib>\n#include <unistd.h>\n"
                            "struct S { ~S() { (void)!write(3, \"{}\", 2); } } late;"));
    CHECK(output.outcome.answer == R"({"answer":{"a":1}})");
}

TEST_CASE("cpp entry: leaving before main leaves no record") {
    check_record(unit("return {};",
                      "#include <unistd.h>\n"
                      "struct S { S() { (void)!write(1, \"PASS\", 4); _exit(0); } } early;"),
                 "", 0);
}

TEST_CASE("cpp entry: what was printed is kept beside the record") {
    const CaseOutput output = Stage::get().run(
        Language::cpp, unit("std::printf(\"hello\"); return {};", "#include <cstdio>"));
    CHECK(output.outcome.out == "hello");
    CHECK(output.outcome.answer == R"({"answer":{}})");
}

TEST_CASE("build: without perfmodel.hpp, or without predict, the compiler refuses") {
    const Build without = refused("int predict() { return 0; }");
    CHECK(without.output.outcome.ending == Ending::exited);
    CHECK(without.output.log.find("predict") != std::string::npos);
    CHECK(refused("Prediction predict(const Workload&, const Architecture&, const Mapping&) { "
                  "return {}; }")
              .output.log.find("Prediction") != std::string::npos);
    CHECK(refused(std::string(kInclude) + "int x = ;").output.log.find("submission.cpp:2") !=
          std::string::npos);
}

TEST_CASE("build: only the toolchain can be included") {
    for (const char* path : {"/etc/passwd", "/proc/self/environ", "/root/x", "/dev/zero"}) {
        CAPTURE(path);
        const Build built = refused(std::string("#include \"") + path + "\"\n");
        CHECK(built.output.log.find("No such file") != std::string::npos);
        CHECK(refused(unit("return {};", std::string("asm(\".incbin \\\"") + path + "\\\"\");"))
                  .output.outcome.ending == Ending::exited);
        CHECK(Stage::get()
                  .build(Language::cpp, unit("return {};", std::string("#if __has_include(\"") +
                                                               path + "\")\n#error seen\n#endif"))
                  .program);
    }
}

TEST_CASE("build: floods of diagnostics are cut with a note") {
    const Build twice = refused("#include \"submission.cpp\"\n#include \"submission.cpp\"\n");
    CHECK(twice.output.log.size() < 70'000);
    const Build deep = refused(
        "template <class T> struct A { A<A<T>> a; typename A<T*>::x y; };\n"
        "template <int N> struct B { static const int v = B<N + 1>::v + B<N + 2>::v; };\n"
        "int x = B<0>::v; A<int> b;\n");
    CHECK(deep.output.log.size() < 70'000);
}

TEST_CASE("build: a program that is too large is not taken") {
    const Build built = refused(unit("return {{\"a\", big[5]}};", "char big[300 << 20] = {1};"));
    CAPTURE(built.output.log);
    CAPTURE(sandbox::name(built.output.outcome.ending));
    CHECK(built.output.object_too_large);
    CHECK(refused(unit("return {{\"a\", big[5]}};", "char big[40 << 20] = {1};"))
              .output.object_too_large);
}

TEST_CASE("build: line directives and plugin pragmas are ordinary text") {
    const Build built = refused("#line 1 \"grader/secret.cpp\"\nint x = ;\n");
    CHECK(built.output.log.find("grader/secret.cpp") != std::string::npos);
    CHECK(Stage::get()
              .build(Language::cpp, "#pragma GCC plugin \"/box/x.so\"\n" + unit("return {};"))
              .program);
}

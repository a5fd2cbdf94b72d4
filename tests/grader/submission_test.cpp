// Tests of grader/submission.hpp: keys, samples, duplicates, broken files, order.
// Not of the shapes of single lines (submission_line_test.cpp).
// Run by the unit suite.
#include "grader/submission.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <random>
#include <sstream>

using grader::Batch;
using grader::Key;
using support::TempDir;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

const std::set<std::string> kTasks{"a", "b", "HumanEval/0"};

Batch read(const std::vector<fs::path>& inputs) {
    auto batch = grader::read_submissions(inputs, kTasks);
    if (!batch) FAIL(batch.error().what);
    return std::move(*batch);
}

Batch read_text(std::string_view text) {
    const TempDir dir;
    return read({dir.write("x.jsonl", text)});
}

std::vector<Key> keys(const Batch& batch) {
    std::vector<Key> all;
    for (const auto& submission : batch.submissions) all.push_back(submission.key);
    return all;
}

std::string line(const std::string& fields) {
    return "{\"task_id\":\"a\",\"model\":\"m\"," + fields + "}\n";
}

std::string gzip(const std::string& text) {
    const TempDir dir;
    const std::string path = dir.path() / "x.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

std::string zstd(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

/// Everything of a batch but places and problems, as one text.
std::string summary(const Batch& batch) {
    std::string all =
        std::to_string(batch.lines_read) + " " + std::to_string(batch.duplicates) + "\n";
    const auto add = [&](const Key& key) {
        all += key.task + "/" + key.model + "/" + std::to_string(key.sample) + "/" +
               std::to_string(key.round);
    };
    for (const auto& one : batch.submissions) {
        add(one.key);
        all += " " + one.text + " " + one.finish_reason + "\n";
    }
    for (const auto& one : batch.ungraded) {
        add(one.key);
        all += " " + one.why + "\n";
    }
    return all;
}

}  // namespace

TEST_CASE("submission: equal keys with equal bytes are one, with different bytes none") {
    const Batch same =
        read_text(line(R"("sample":0,"completion":"x")") + line(R"("completion":"x","sample":0)"));
    CHECK(same.submissions.size() == 1);
    CHECK(same.duplicates == 1);
    CHECK(same.ungraded.empty());
    const Batch other =
        read_text(line(R"("sample":0,"completion":"x")") + line(R"("sample":0,"completion":"y")") +
                  line(R"("sample":1,"completion":"z")"));
    CHECK(keys(other) == std::vector<Key>{{"a", "m", 1, 0}});
    REQUIRE(other.ungraded.size() == 1);
    CHECK(other.ungraded[0].key == Key{"a", "m", 0, 0});
    CHECK(other.ungraded[0].why == "2 replies with one key that are not equal");
    CHECK(other.ungraded[0].where.find("x.jsonl:1") != std::string::npos);
    CHECK(other.ungraded[0].where.find("x.jsonl:2") != std::string::npos);
}

TEST_CASE("submission: replies without a sample are numbered by their digest, equal ones apart") {
    const Batch batch =
        read_text(line(R"("completion":"p")") + line(R"("completion":"q")") +
                  line(R"("completion":"q")") + line(R"("completion":"r","sample":1)"));
    REQUIRE(batch.submissions.size() == 4);
    // SHA-256: p = 148d..., q = 8e35...
    CHECK(batch.submissions[0].text == "p");
    CHECK(batch.submissions[1].text == "r");
    CHECK(batch.submissions[2].text == "q");
    CHECK(batch.submissions[3].text == "q");
    CHECK(batch.submissions[3].key.sample == 3);
}

TEST_CASE("submission: an unknown task is in no denominator and is listed") {
    const Batch batch =
        read_text("{\"task_id\":\"zz\",\"completion\":\"x\"}\n" + line(R"("completion":"x")"));
    CHECK(batch.submissions.size() == 1);
    REQUIRE(batch.problems.size() == 1);
    CHECK(batch.problems[0].what == "unknown task \"zz\"");
    CHECK(batch.problems[0].where.ends_with("x.jsonl:1"));
}

TEST_CASE("submission: lines that cannot be read are listed with their place") {
    const Batch batch =
        read_text("\xEF\xBB\xBF" + line(R"("completion":"1","sample":0)") + "\r\n\n" +
                  "{\"task_id\":\"a\"\n" + "{\"task_id\":\"a\",\0}\n"s + "[]\n42\n\"x\"\n" +
                  "{\"completion\":\"x\"}\n" + line(R"("sample":-1,"completion":"x")") +
                  line(R"("sample":0,"sample":1,"completion":"x")") +
                  "{\"task_id\":\"a\",\"model\":\"m\",\"completion\":\"cut");
    CHECK(batch.submissions.size() == 1);
    CHECK(batch.ungraded.empty());
    REQUIRE(batch.problems.size() == 9);
    CHECK(batch.problems[0].where.ends_with(":4"));
    CHECK(batch.problems[0].what.starts_with("offset "));
    CHECK(batch.problems[1].what == "offset 15: a raw NUL byte");
    CHECK(batch.problems[2].what == "an empty list");
    CHECK(batch.problems[3].what == "expected an object, found an integer");
    CHECK(batch.problems[5].what == "no \"task_id\" or \"custom_id\": whose reply is this?");
    CHECK(batch.problems[6].what == "\"sample\" is no whole number");
    CHECK(batch.problems[7].what == "key \"sample\" appears twice");
    CHECK(batch.problems[8].what.ends_with("is the file complete?"));
    CHECK(batch.lines_read == 10);
}

TEST_CASE("submission: a last line without an end is read if it is whole; CRLF is fine") {
    std::string text = line(R"("completion":"1","sample":0)");
    text.back() = '\r';
    text += "\n" + line(R"("completion":"2","sample":1)");
    text.pop_back();
    CHECK(read_text(text).submissions.size() == 2);
}

TEST_CASE("submission: bad bytes and lone surrogates are replaced and counted") {
    const Batch batch = read_text(line("\"completion\":\"a\xFF\\ud800\\u0000\""));
    REQUIRE(batch.submissions.size() == 1);
    CHECK(batch.submissions[0].text == "a\uFFFD\uFFFD\0"s);
    CHECK(batch.replaced == 2);
}

TEST_CASE("submission: a line over the limit is listed, the lines around it are read") {
    const std::string big =
        line("\"sample\":1,\"completion\":\"" + std::string(17 << 20, 'x') + "\"");
    const Batch batch = read_text(line(R"("completion":"1","sample":0)") + big +
                                  line(R"("completion":"2","sample":2)"));
    CHECK(batch.submissions.size() == 2);
    REQUIRE(batch.problems.size() == 1);
    CHECK(batch.problems[0].where.ends_with(":2"));
    CHECK(batch.problems[0].what.find("at most 16777216 are read") != std::string::npos);
}

TEST_CASE("submission: a file of rubbish ends in a count") {
    std::string text;
    for (int i = 0; i < 2500; ++i) text += "rubbish\n";
    const Batch batch = read_text(text);
    CHECK(batch.problems.size() == 1001);
    CHECK(batch.problems.back().what == "1500 more lines that cannot be read");
}

TEST_CASE("submission: nothing at all and no file are errors") {
    const TempDir dir;
    const auto error = [](const fs::path& path) {
        const auto batch = grader::read_submissions(std::vector{path}, kTasks);
        return batch ? "read" : batch.error().what;
    };
    CHECK(error(dir.path() / "none.jsonl").starts_with("cannot open "));
    CHECK(error(dir.write("empty.jsonl", "")).find("the file holds no line") != std::string::npos);
    CHECK(error(dir.write("blank.jsonl", "\n \n")).find("the file holds no line") !=
          std::string::npos);
    const TempDir empty;
    CHECK(error(empty.path()).find("the folder holds no file") != std::string::npos);
    // Beside a file with lines, an empty one is a problem.
    const Batch batch =
        read({dir.write("x.jsonl", line(R"("completion":"x")")), dir.path() / "empty.jsonl"});
    CHECK(batch.submissions.size() == 1);
    CHECK(batch.problems.size() == 1);
}

TEST_CASE("submission: compressed files are known by their bytes, damage is named") {
    const std::string text =
        line(R"("completion":"1","sample":0)") + line(R"("completion":"2","sample":1)");
    for (const std::string& bytes :
         {gzip(text), zstd(text), zstd(text) + zstd(line(R"("completion":"3","sample":2)"))}) {
        const TempDir dir;
        CHECK(read({dir.write("x.jsonl.gz", bytes)}).submissions.size() >= 2);
        CHECK(read({dir.write("x.jsonl", bytes)}).problems.empty());
    }
    std::string many;
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i)
        many += line("\"sample\":" + std::to_string(i) + ",\"completion\":\"" +
                     std::to_string(random()) + "\"");
    for (const std::string& whole : {gzip(many), zstd(many)}) {
        const TempDir dir;
        const auto cut = grader::read_submissions(
            std::vector{dir.write("x", whole.substr(0, whole.size() - 20))}, kTasks);
        REQUIRE(cut);
        REQUIRE(cut->problems.size() == 1);
        CHECK(cut->problems[0].what.find("ends early") != std::string::npos);
        std::string hurt = whole;
        hurt[hurt.size() / 2] = static_cast<char>(~hurt[hurt.size() / 2]);
        hurt[hurt.size() / 2 + 9] = static_cast<char>(~hurt[hurt.size() / 2 + 9]);
        const auto damaged = grader::read_submissions(std::vector{dir.write("y", hurt)}, kTasks);
        CHECK((!damaged || !damaged->problems.empty()));
    }
}

TEST_CASE("submission: failed requests count in their denominator; a retry that worked is graded") {
    const std::string ok =
        R"({"custom_id":"a#0","response":{"status_code":200,"body":{"model":"m","choices":[{"message":{"content":"x"}}]}}})";
    const std::string failed =
        R"({"custom_id":"a#1","response":null,"error":{"message":"too busy"}})";
    const std::string failed_first =
        R"({"custom_id":"a#0","response":null,"error":{"message":"too busy"}})";
    const Batch batch = read_text(ok + "\n" + failed + "\n" + failed_first + "\n");
    CHECK(keys(batch) == std::vector<Key>{{"a", "m", 0, 0}});
    REQUIRE(batch.ungraded.size() == 1);
    CHECK(batch.ungraded[0].key == Key{"a", "m", 1, 0});
    CHECK(batch.ungraded[0].why == "the request failed: \"too busy\"");
    const Batch two =
        read_text(ok + "\n" + failed + "\n" + R"({"task_id":"a","model":"n","completion":"x"})");
    CHECK(two.ungraded.empty());
    CHECK(two.problems.size() == 1);
}

TEST_CASE("submission: trees of code") {
    const TempDir dir;
    dir.write("m/a/0.py", "def predict(): pass");
    dir.write("m/a/1#2.cpp", "int x;");
    dir.write("m/b/solution.lua", "x");
    dir.write("m/b/3.rs", "x");
    dir.write("m/b/4.md", "```lua\nx\n```");
    dir.write("m/HumanEval_0/0.py", "x");
    dir.write("m/deep/er/0.py", "x");
    dir.write(".git/a/0.py", "x");
    dir.write("extra.jsonl", line(R"("completion":"x","sample":9)"));
    fs::create_symlink("/etc/passwd", dir.path() / "m/a/5.py");
    const Batch batch = read({dir.path()});
    CHECK(keys(batch) == std::vector<Key>{{"HumanEval/0", "m", 0, 0},
                                          {"a", "m", 0, 0},
                                          {"a", "m", 1, 2},
                                          {"a", "m", 9, 0},
                                          {"b", "m", 0, 0},
                                          {"b", "m", 4, 0}});
    CHECK(batch.submissions[1].is_code);
    CHECK(batch.submissions[1].language == grader::Language::python);
    CHECK_FALSE(batch.submissions[5].is_code);
    REQUIRE(batch.ungraded.size() == 1);
    CHECK(batch.ungraded[0].why == "no language has the extension \".rs\"");
    CHECK(batch.problems.size() == 2);

    const TempDir flat;
    flat.write("model-x/a/0.lua", "x");
    CHECK(keys(read({flat.path() / "model-x"})) == std::vector<Key>{{"a", "model-x", 0, 0}});
    CHECK(keys(read({flat.path() / "model-x/"})) == std::vector<Key>{{"a", "model-x", 0, 0}});
}

TEST_CASE("submission: the order of lines and files changes nothing") {
    std::vector<std::string> lines;
    for (int i = 0; i < 40; ++i) {
        const std::string text = "\"completion\":\"" + std::to_string(i * 7 % 11) + "\"";
        if (i % 3 == 0)
            lines.push_back(line(text));
        else
            lines.push_back(line("\"sample\":" + std::to_string(i % 13) + "," + text));
        if (i % 10 == 0)
            lines.push_back(R"({"custom_id":"b#)" + std::to_string(i) + "\",\"error\":{}}\n");
    }
    std::string first;
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        std::shuffle(lines.begin(), lines.end(), random);
        const TempDir dir;
        std::string one, two;
        for (std::size_t i = 0; i < lines.size(); ++i) (i % 2 ? one : two) += lines[i];
        const Batch batch = read({dir.write("1.jsonl", one), dir.write("2.jsonl.gz", gzip(two))});
        if (first.empty()) first = summary(batch);
        CHECK(summary(batch) == first);
        CHECK(batch.problems.empty());
    }
}

// The bundled replies, read and extracted: nothing is lost, and one is known to be cut off.
// Does not grade them.
// Run by the unit suite; needs PERFJUDGE_SOURCE_ROOT.
#include "grader/definition.hpp"
#include "grader/extract.hpp"
#include "grader/submission.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>

using grader::Language;
using grader::Reason;
namespace fs = std::filesystem;

namespace {

constexpr std::array kAll{Language::cpp, Language::python, Language::lua};

grader::Batch bundled() {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");  // NOLINT(concurrency-mt-unsafe)
    REQUIRE(root);
    const std::array inputs{fs::path(root) / "tests/replies"};
    auto batch =
        grader::read_submissions(inputs, {"gemm-two-level", "einsum-two-level", "conv2d-halo",
                                          "three-level-spatial", "bypass", "cycles-bandwidth"});
    REQUIRE(batch);
    return std::move(*batch);
}

}  // namespace

TEST_CASE("replies: all 54 have a key and a text") {
    const grader::Batch batch = bundled();
    CHECK(batch.submissions.size() == 54);
    CHECK(batch.lines_read == 54);
    CHECK(batch.ungraded.empty());
    CHECK(batch.problems.empty());
    CHECK(batch.duplicates == 0);
    CHECK(batch.replaced == 0);
    std::map<std::string, int> per_model;
    for (const auto& submission : batch.submissions) ++per_model[submission.key.model];
    CHECK(per_model == std::map<std::string, int>{{"m1", 12}, {"m2", 12}, {"m3", 12}, {"m4", 18}});
    CHECK(std::is_sorted(batch.submissions.begin(), batch.submissions.end(),
                         [](const auto& a, const auto& b) { return a.key < b.key; }));
}

TEST_CASE("replies: the code found defines predict; the one that was cut off is truncated") {
    std::map<std::string, std::map<Language, int>> languages;
    int cut = 0;
    for (const auto& submission : bundled().submissions) {
        CAPTURE(submission.where);
        const auto found = grader::extract(submission, kAll, "predict");
        if (!found.source) {
            ++cut;
            CHECK(submission.key == grader::Key{"three-level-spatial", "m3", 1, 0});
            CHECK(found.reason == Reason::truncated);
            CHECK(found.truncated);
            continue;
        }
        CHECK(found.rule == "last_defining_block");
        CHECK_FALSE(found.truncated);
        CHECK(found.hints.empty());
        CHECK(grader::defines(found.source->bytes, found.source->language, "predict"));
        if (submission.language) CHECK(*submission.language == found.source->language);
        ++languages[submission.key.model][found.source->language];
    }
    CHECK(cut == 1);
    CHECK(languages["m1"] == std::map<Language, int>{{Language::python, 12}});
    CHECK(languages["m2"] == std::map<Language, int>{{Language::cpp, 12}});
    CHECK(languages["m3"] == std::map<Language, int>{{Language::lua, 11}});
    CHECK(languages["m4"] == std::map<Language, int>{{Language::cpp, 6}, {Language::python, 12}});
}

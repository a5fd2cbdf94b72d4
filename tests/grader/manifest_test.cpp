// Tests of grader/manifest.hpp: what must agree before results are continued.
// No file is read.
// Run by the unit suite.
#include "grader/manifest.hpp"

#include <doctest/doctest.h>

#include <string>

using grader::difference;
using grader::Json;
using grader::Manifest;
using grader::manifest_json;

namespace {

Manifest manifest() {
    Manifest made;
    made.version = "1.2.3";
    made.seed_sha256 = "aa";
    made.repeats = 2;
    made.tasks = {{"bypass", "b0", 4, 64, {}}, {"gemm", "c0", 4, 64, {}}};
    return made;
}

std::string difference_of(const Manifest& now) {
    const auto result = difference(manifest_json(manifest(), {}), now);
    REQUIRE(result);
    return result->value_or("");
}

}  // namespace

TEST_CASE("manifest: the same run can be continued, by another version as well") {
    CHECK(difference_of(manifest()).empty());
    Manifest newer = manifest();
    newer.version = "1.3.0";
    CHECK(difference_of(newer).empty());
    const Json::Object facts{{"mode", "full"}};
    CHECK(difference(manifest_json(manifest(), facts), manifest())->value_or("").empty());
}

TEST_CASE("manifest: every difference that could change a verdict is named") {
    Manifest now = manifest();
    now.repeats = 3;
    CHECK(difference_of(now).find("repeats is 2 there and 3 now") == 0);
    now = manifest();
    now.seed_sha256 = "ab";
    CHECK(difference_of(now).find("seed_sha256") == 0);
    now = manifest();
    now.public_seed = true;
    CHECK(difference_of(now).find("public_seed") == 0);
    now = manifest();
    now.tasks[1].hidden_sha256 = "c1";
    CHECK(difference_of(now).find("task gemm: hidden_sha256") == 0);
    now = manifest();
    now.tasks[0].limits.cpu_time *= 2;
    CHECK(difference_of(now).find("task bypass: cpu_ms is 1000 there and 2000 now") == 0);
    now = manifest();
    now.tasks[0].hidden_cases = 65;
    CHECK(difference_of(now).find("task bypass: hidden_cases") == 0);
}

TEST_CASE("manifest: tasks may come and go, their results are apart") {
    Manifest now = manifest();
    now.tasks.erase(now.tasks.begin());
    now.tasks.push_back({"new", "d0", 4, 64, {}});
    CHECK(difference_of(now).empty());
}

TEST_CASE("manifest: another format is refused") {
    CHECK(!difference(Json::object({{"version", 2}}), manifest()));
    CHECK(!difference(Json::object(), manifest()));
}

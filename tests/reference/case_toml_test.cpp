// A case written as TOML and read again.
// Not of the reader's mistakes: document_test.cpp and model_files_test.cpp do that.
// Run by the unit suite.
#include "reference/case_toml.hpp"

#include "reference/document.hpp"
#include "reference/generate.hpp"

#include <doctest/doctest.h>

namespace {

reference::Case read_again(const reference::Case& made) {
    const std::string text = reference::case_toml(made);
    CAPTURE(text);
    const auto document = reference::Document::parse(text, "case.toml");
    REQUIRE_MESSAGE(document.has_value(), (document ? "" : document.error().what));
    reference::Case read;
    auto workload = reference::read_workload(*document);
    REQUIRE_MESSAGE(workload.has_value(), (workload ? "" : workload.error().what));
    auto architecture = reference::read_architecture(*document);
    REQUIRE_MESSAGE(architecture.has_value(), (architecture ? "" : architecture.error().what));
    auto mapping = reference::read_mapping(*document, *workload, *architecture);
    REQUIRE_MESSAGE(mapping.has_value(), (mapping ? "" : mapping.error().what));
    return {std::move(*workload), std::move(*architecture), std::move(*mapping)};
}

reference::Case generated(std::string_view family, std::uint64_t index) {
    auto made = reference::generate(family, {}, {}, index);
    REQUIRE(made.has_value());
    return std::move(*made);
}

}  // namespace

TEST_CASE("case toml: every generated case is read back as it was") {
    for (const std::string_view family : reference::generator_families()) {
        for (std::uint64_t i = 0; i < 50; ++i) {
            const reference::Case made = generated(family, i);
            CHECK(read_again(made) == made);
        }
    }
}

TEST_CASE("case toml: keys that are seldom needed") {
    reference::Case made = generated("spatial", 0);
    made.architecture.levels[0].shared_bandwidth = 0.1;
    made.architecture.levels[0].read_bandwidth = 3;
    made.architecture.levels[0].write_bandwidth = 1e300;
    made.architecture.levels[1].multiple_buffering = 2;
    made.architecture.levels[1].mesh_x = made.architecture.levels[1].instances;
    made.architecture.compute = reference::ComputeUnits{"MAC", 8, 4};
    made.mapping.levels[0].temporal.push_back({reference::DimensionId{0}, 4, 3});
    made.mapping.levels[0].spatial.push_back({reference::DimensionId{0}, 2});
    made.mapping.levels[0].spatial_y = 1;
    CHECK(read_again(made) == made);
}

TEST_CASE("case toml: names may hold anything that TOML can") {
    reference::Case made = generated("matmul", 0);
    made.workload.name = "a \"b\" \\ c\n\t\x7f # [x]";
    made.workload.dimensions[0].name = "M 1.0 = \"x\"";
    made.workload.dimensions[1].name = "\xc3\xa9";
    made.workload.data_spaces[0].name = "A'";
    made.architecture.levels[0].name = "D\\RAM";
    CHECK(read_again(made) == made);
}

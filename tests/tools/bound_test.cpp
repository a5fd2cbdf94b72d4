// Tests of tools/bound_report.hpp: table, JSON and chart say what the bound found.
// Not of the search: tests/reference does that.
// Run by the unit suite.
#include "grader/json.hpp"
#include "tests/support/model_case.hpp"
#include "tools/bound_report.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace {

using grader::Json;

/// A found bound with all that a report refers to.
struct Found {
    reference::Workload workload;
    reference::BoundOptions options;
    reference::Bound bound;
    [[nodiscard]] tools::BoundReport report() const { return {workload, options, bound}; }
};

Found found(std::string_view tensors, std::string_view sizes,
            const reference::BoundOptions& options = {}) {
    Found made{tests::model_case(tensors, {sizes}).workload, options, {}};
    auto bound = reference::bound(made.workload, options);
    REQUIRE(bound.has_value());
    made.bound = std::move(*bound);
    return made;
}

constexpr std::string_view kGemm = "A:M,K B:K,N Z=M,N";
constexpr std::string_view kConv1d = "I:P+R W:R O=P";

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::int64_t integer(const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    REQUIRE(value != nullptr);
    REQUIRE(value->integer() != nullptr);
    return *value->integer();
}

}  // namespace

TEST_CASE("bound report: the table has a line per step of the curve") {
    const Found gemm = found(kGemm, "M64 N64 K64");
    const std::string table = tools::bound_table(gemm.report());
    CHECK(holds(table, "test: M=64 K=64 N=64\n"));
    CHECK(holds(table, "compulsory traffic: 12288 words\n"));
    CHECK(holds(table, "least traffic proven over "));
    CHECK(holds(table, "m=64 n=64 k=64, S = buffer + 3\n"));
    for (const auto& point : gemm.bound.points)
        CHECK(holds(table, fmt::format("{}  {:>{}}  ", point.buffer_words, point.traffic, 13)));
    const auto lines = std::count(table.begin(), table.end(), '\n');
    CHECK(lines == static_cast<std::ptrdiff_t>(gemm.bound.points.size()) + 6);
    CHECK(holds(table, "A B Z\n"));  // of a buffer without words
}

TEST_CASE("bound report: no control byte of a name reaches a terminal") {
    Found gemm = found(kGemm, "M4 N4 K4");
    gemm.workload.name = "ge\x1b[31mmm";
    gemm.workload.dimensions[0].name = "M\n";
    gemm.workload.data_spaces[1].name = "B\a";
    const std::string table = tools::bound_table(gemm.report());
    CHECK(holds(table, "ge?[31mmm: M?=4 K=4 N=4\n"));
    CHECK(holds(table, "  A B? Z\n"));
    for (const char* byte : {"\x1b", "M\n", "\a"}) CHECK_FALSE(holds(table, byte));
}

TEST_CASE("bound report: what was not proven says so, everywhere") {
    reference::BoundOptions few;
    few.most_candidates = 10;
    const Found gemm = found(kGemm, "M64 N64 K64", few);
    CHECK(holds(tools::bound_table(gemm.report()), "NOT PROVEN"));
    CHECK(holds(tools::bound_json(gemm.report()), R"("proven":false)"));
    CHECK(holds(tools::bound_svg(gemm.report()), "(not proven)"));
    const Found proven = found(kGemm, "M64 N64 K64");
    CHECK_FALSE(holds(tools::bound_table(proven.report()), "NOT PROVEN"));
    CHECK_FALSE(holds(tools::bound_svg(proven.report()), "not proven"));
}

TEST_CASE("bound report: JSON has the numbers of the bound") {
    const Found conv = found(kConv1d, "P8 R4");
    const auto json = grader::parse_json(tools::bound_json(conv.report()));
    REQUIRE(json.has_value());
    CHECK(integer(*json, "compulsory_words") == 8 + 3 + 4 + 8);
    CHECK(json->find("matrix_product")->is_null());
    CHECK(json->find("asked_buffer_words")->is_null());
    const auto& points = *json->find("points")->array_items();
    REQUIRE(points.size() == conv.bound.points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(integer(points[i], "buffer_words") == conv.bound.points[i].buffer_words);
        CHECK(integer(points[i], "traffic_words") == conv.bound.points[i].traffic);
        const auto& dram = conv.bound.points[i].best.mapping.levels[0].temporal;
        CHECK(points[i].find("dram_loops")->array_items()->size() == dram.size());
        CHECK(points[i].find("floor_words")->number() == 23.0);
    }
}

TEST_CASE("bound report: the floor of a matrix product counts operands outside the buffer") {
    reference::BoundOptions kept;
    kept.bypass = false;
    const Found with = found(kGemm, "M64 N64 K64");
    const Found without = found(kGemm, "M64 N64 K64", kept);
    CHECK(tools::floor_words(without.report(), 100) == 2 * 64 * 64 * 64 / 10 - 200 + 0.8);
    CHECK(tools::floor_words(with.report(), 97) == tools::floor_words(without.report(), 100));
    CHECK(tools::floor_words(with.report(), 1'000'000) == 12288);
    for (const Found* each : {&with, &without})
        for (const auto& point : each->bound.points)
            CHECK(static_cast<double>(point.traffic) >=
                  tools::floor_words(each->report(), point.buffer_words));
}

TEST_CASE("bound report: a curve of one step can be drawn") {
    CHECK(holds(tools::bound_svg(found("A:M Z=M", "M1").report()), "</svg>"));
    CHECK(holds(tools::bound_svg(found(kGemm, "M2 N2 K2").report()), "</svg>"));
}

// Tests of grader/quantities.hpp on one case whose numbers were counted by hand.
// Not of the reference.
// Run by the unit suite.
#include "grader/quantities.hpp"

#include "reference/evaluate.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using grader::Quantity;
using reference::Case;
using reference::DimensionId;

namespace {

/// Z[m] = A[m,k] * B[k] with M = 4, K = 6 on DRAM, GBuf and two PEs that share m.
Case small() {
    const DimensionId m{0};
    const DimensionId k{1};
    Case made;
    made.workload = {
        "gemv",
        {{"M", 4}, {"K", 6}},
        {{"A", {{{m, 1}}, {{k, 1}}}, false}, {"B", {{{k, 1}}}, false}, {"Z", {{{m, 1}}}, true}}};
    made.architecture.levels = {{"DRAM", std::nullopt, 16, 1, std::nullopt, std::nullopt},
                                {"GBuf", 12, 16, 1, std::nullopt, std::nullopt},
                                {"PE", 4, 16, 4, std::nullopt, std::nullopt}};
    made.mapping.levels = {{{{k, 3}, {m, 2}}, {}, {true, true, true}},
                           {{}, {{m, 2}}, {true, true, true}},
                           {{{k, 2}}, {}, {true, true, true}}};
    return made;
}

std::map<std::string, std::int64_t> values(const std::vector<std::string>& patterns) {
    const Case made = small();
    const auto traffic = reference::evaluate(made.workload, made.architecture, made.mapping);
    REQUIRE(traffic.has_value());
    std::vector<Quantity> quantities;
    for (const std::string& pattern : patterns) quantities.push_back({pattern, {}});
    const auto expected = quantities_of(made, *traffic, quantities);
    REQUIRE_MESSAGE(expected.has_value(), (expected ? "" : expected.error().what));
    std::map<std::string, std::int64_t> found;
    for (const auto& quantity : *expected) found[quantity.name] = quantity.value;
    return found;
}

std::string refusal(const std::vector<std::string>& patterns) {
    const Case made = small();
    const auto traffic = reference::evaluate(made.workload, made.architecture, made.mapping);
    REQUIRE(traffic.has_value());
    std::vector<Quantity> quantities;
    for (const std::string& pattern : patterns) quantities.push_back({pattern, {}});
    const auto expected = quantities_of(made, *traffic, quantities);
    return expected ? "" : expected.error().what;
}

}  // namespace

TEST_CASE("quantities: patterns are expanded over inputs and the output") {
    // Six steps at DRAM; A (4 words) at each, B (2 words) for each k, Z (2 words) at each, back 4
    // times.
    const auto found =
        values({"dram.reads.{input}", "dram.reads.{output}", "dram.updates.{output}"});
    CHECK(found == std::map<std::string, std::int64_t>{{"dram.reads.A", 24},
                                                       {"dram.reads.B", 6},
                                                       {"dram.reads.Z", 8},
                                                       {"dram.updates.Z", 12}});
}

TEST_CASE("quantities: words, fits and used") {
    const auto found = values({"dram.words", "gbuf.words", "gbuf.fits", "pe.words", "pe.fits",
                               "pe.used", "dram.reads", "dram.updates"});
    CHECK(found.at("dram.reads") == 38);
    CHECK(found.at("dram.updates") == 12);
    CHECK(found.at("dram.words") == 50);
    CHECK(found.at("gbuf.words") == 4 + 2 + 2);
    CHECK(found.at("gbuf.fits") == 1);
    CHECK(found.at("pe.words") == 2 + 2 + 1);
    CHECK(found.at("pe.fits") == 0);
    CHECK(found.at("pe.used") == 2);
}

TEST_CASE("quantities: traffic of a level is that of all its instances") {
    const auto found =
        values({"gbuf.reads.{input}", "pe.fills.{input}", "gbuf.fills.A", "gbuf.updates.A"});
    // Multicast: both PEs get B by one read; each PE is filled all the same.
    CHECK(found.at("gbuf.reads.A") == 24);
    CHECK(found.at("pe.fills.A") == 24);
    CHECK(found.at("gbuf.reads.B") == 6);
    CHECK(found.at("pe.fills.B") == 12);
    CHECK(found.at("gbuf.fills.A") == 24);
    CHECK(found.at("gbuf.updates.A") == 0);
}

TEST_CASE("quantities: cycles of the run and of a level") {
    const auto found = values({"cycles", "cycles.dram", "cycles.pe"});
    CHECK(found.at("cycles") == 12);
    CHECK(found.at("cycles.dram") == 12);
    CHECK(found.at("cycles.pe") == 12);
}

TEST_CASE("quantities: the tile that moves is known for hints") {
    const Case made = small();
    const auto traffic = reference::evaluate(made.workload, made.architecture, made.mapping);
    const std::vector<Quantity> asked{{"dram.reads.A", {}}};
    const auto expected = quantities_of(made, traffic.value(), asked);
    REQUIRE(expected.has_value());
    CHECK(expected->front().tile_words == 4);
}

TEST_CASE("quantities: what a case lacks is refused by name") {
    CHECK(refusal({"l2.words"}).find("no level 'l2'") != std::string::npos);
    CHECK(refusal({"cycles.l2"}).find("no level 'l2'") != std::string::npos);
    CHECK(refusal({"dram.reads.X"}).find("no tensor 'X'") != std::string::npos);
    CHECK(refusal({"dram.reads.a"}).find("no tensor 'a'") != std::string::npos);
    CHECK(refusal({"dram.reads.A", "dram.reads.{input}"}).find("asked twice") != std::string::npos);
}

TEST_CASE("quantities: patterns are checked when a task is loaded") {
    for (const char* text :
         {"dram.reads.{input}", "dram.reads.A", "l2.reads", "l2.updates.{output}", "pe.used",
          "buffer.words", "buffer.fits", "cycles", "cycles.dram", "gbuf.fills.{input}"})
        CHECK(grader::check_pattern(text).has_value());
    for (const char* text :
         {"", "dram", "dram.", ".reads", "dram.read", "dram.reads.", "dram.reads.{inputs}",
          "dram.words.A", "pe.used.A", "cycles.", "cycles.dram.A", "dram.reads.A.B", "dram.cycles",
          "dram reads", "dram.reads.{input} "})
        CHECK_FALSE(grader::check_pattern(text).has_value());
}

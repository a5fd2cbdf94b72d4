// Hand-worked examples of traffic, asked of both engines.
// Not of documents; agreement on many cases is in agreement_test.cpp.
// Run by the unit suite.
#include "reference/evaluate.hpp"
#include "reference/simulate.hpp"
#include "reference/tiles.hpp"
#include "tests/support/model_case.hpp"

#include <doctest/doctest.h>

#include <string>

using tests::model_case;
using tests::ModelCase;

namespace {

constexpr std::string_view kGemm = "A:M,K B:K,N Z=M,N";
constexpr std::string_view kConv1d = "I:P+R W:R O=P";
constexpr std::string_view kConv2d = "I:C,P+R,Q+S W:K,C,R,S O=K,P,Q";

/// The closed form, which the walk has confirmed.
reference::Traffic traffic(const ModelCase& c) {
    const auto fast = reference::evaluate(c.workload, c.architecture, c.mapping);
    const auto walked = reference::simulate(c.workload, c.architecture, c.mapping);
    REQUIRE(fast.has_value());
    REQUIRE(walked.has_value());
    CHECK(*fast == *walked);
    return *fast;
}

/// Words of one instance. The partition and the totals are the golden tests' business.
struct Counts {
    std::int64_t tile_words, reads, fills, updates;
    bool operator==(const Counts&) const = default;
};

Counts at(const reference::Traffic& traffic, std::size_t level, std::size_t d) {
    REQUIRE(traffic.levels.at(level).movements.at(d).has_value());
    const reference::Movement& movement = *traffic.levels[level].movements[d];
    return {movement.tile_words, movement.reads, movement.fills, movement.updates};
}

std::int64_t reads(const reference::Traffic& traffic, std::size_t level, std::size_t d) {
    return at(traffic, level, d).reads;
}

}  // namespace

TEST_CASE("engines: gemm with K outermost writes partial sums out and reads them back") {
    const auto t = traffic(model_case(kGemm, {"K4 N3 M2", "M2 N2 K2"}));
    CHECK(t.computes == 192);
    CHECK(t.cycles == 192);
    CHECK(at(t, 0, 0) == Counts{32, 96, 0, 0});
    CHECK(at(t, 0, 1) == Counts{48, 48, 0, 0});
    CHECK(at(t, 0, 2) == Counts{24, 72, 0, 96});
    CHECK(at(t, 1, 0) == Counts{4, 192, 96, 0});
    CHECK(at(t, 1, 1) == Counts{4, 192, 48, 0});
    CHECK(at(t, 1, 2) == Counts{4, 168, 72, 192});
}

TEST_CASE("engines: gemm with K innermost touches each output tile once") {
    const auto t = traffic(model_case(kGemm, {"M2 N3 K4", "M2 N2 K2"}));
    CHECK(reads(t, 0, 0) == 96);
    CHECK(reads(t, 0, 1) == 96);
    CHECK(at(t, 0, 2) == Counts{24, 0, 0, 24});
    CHECK(at(t, 1, 2) == Counts{4, 168, 0, 192});
}

TEST_CASE("engines: loops of bound 1 make no difference") {
    const auto with = traffic(model_case(kGemm, {"M1 K4 N1 K1 N3 M2", "M2 K1 N2 M1 K2"}));
    CHECK(with == traffic(model_case(kGemm, {"K4 N3 M2", "M2 N2 K2"})));
}

TEST_CASE("engines: a dimension may have several loops in one level") {
    const auto t = traffic(model_case(kGemm, {"M2 K3 M2", "M2 N2"}));
    CHECK(reads(t, 0, 0) == 24);  // A changes at every step
    CHECK(at(t, 0, 2) == Counts{16, 32, 0, 48});
}

TEST_CASE("engines: the box of a stride counts its holes") {
    const auto t = traffic(model_case("I:3P+R W:R O=P", {"P4", "P2 R1"}));
    CHECK(at(t, 0, 0).tile_words == 22);
    CHECK(at(t, 1, 0).tile_words == 4);
    CHECK(reads(t, 0, 0) == 16);  // the next box begins after a hole of two words
}

TEST_CASE("engines: the halo of a 2-d convolution is kept along a row") {
    // 16 words, then 3 x 8 new ones a row; at a turn the boxes of the row's end and of the next
    // row's begin share nothing, being 6 columns apart: 4 x 40.
    const auto t = traffic(model_case(kConv2d, {"P4 Q4", "P2 Q2 R3 S3"}));
    CHECK(at(t, 1, 0).tile_words == 16);
    CHECK(reads(t, 0, 0) == 160);
    CHECK(at(t, 0, 2) == Counts{64, 0, 0, 64});
    CHECK(reads(t, 0, 1) == 9);
    // An output-channel loop inside moves no input.
    CHECK(reads(traffic(model_case(kConv2d, {"P4 Q4 K4", "P2 Q2 R3 S3"})), 0, 0) == 160);
}

TEST_CASE("engines: what two boxes share at a turn is kept") {
    // Two columns of tiles: the turn goes 2 down and 2 left, 2 x 2 of the 16 words stay.
    const auto t = traffic(model_case(kConv2d, {"P4 Q2", "P2 Q2 R3 S3"}));
    CHECK(reads(t, 0, 0) == 16 + 4 * 8 + 3 * 12);
}

TEST_CASE("engines: two loops on one rank stand still where their steps meet") {
    CHECK(reads(traffic(model_case(kConv1d, {"P4 R3", "P2"})), 0, 0) == 10);
    const auto dilated = traffic(model_case("I:P+2R W:R O=P", {"R3 P4", "P2"}));
    CHECK(reads(dilated, 0, 0) == 8 + 2 * (2 + 6));
}

TEST_CASE("engines: tiles that go on without a jump over two levels read each word once") {
    const auto t = traffic(model_case(kConv1d, {"P2", "P3", "P2 R3"}));
    CHECK(at(t, 2, 0).fills == 14);  // the whole input
}

TEST_CASE("engines: multicast") {
    const auto t = traffic(model_case(kGemm, {"", "M2 K2/N4", "M2 N2 K2"}));
    CHECK(t.levels[2].instances == 4);
    CHECK(reads(t, 1, 0) == 16);         // one read for four instances
    CHECK(at(t, 2, 0).fills == 16);      // each receives it
    CHECK(reads(t, 1, 1) == 4 * 4 * 4);  // B differs in each: four tiles of 4 words, 4 steps
}

TEST_CASE("engines: spatial reduction") {
    const auto t = traffic(model_case(kGemm, {"", "M2 N2/K4", "M2 N2 K2"}));
    CHECK(at(t, 1, 2) == Counts{16, 0, 0, 16});
    CHECK(at(t, 2, 2) == Counts{4, 16, 0, 32});  // one first touch in each instance
}

TEST_CASE("engines: partly overlapping neighbours are not shared") {
    const auto t = traffic(model_case(kConv1d, {"", "/P4", "P2 R3"}));
    CHECK(at(t, 2, 0).tile_words == 4);
    CHECK(reads(t, 1, 0) == 16);
}

TEST_CASE("engines: equal places on a diagonal share one read") {
    CHECK(reads(traffic(model_case(kConv1d, {"", "/P4 R3", ""})), 1, 0) == 6);
}

TEST_CASE("engines: no neighbour hands words on") {
    const auto t = traffic(model_case(kConv1d, {"", "R3/P4", ""}));
    CHECK(reads(t, 1, 0) == 12);
    CHECK(reads(t, 2, 0) == 3);
}

TEST_CASE("engines: lanes below the last level cost their distinct words at each step") {
    const auto t = traffic(model_case(kGemm, {"", "M2 N2 K2/K4"}));
    CHECK(t.computes == 32);
    CHECK(t.cycles == 8);
    CHECK(at(t, 1, 2) == Counts{4, 4, 0, 8});
    CHECK(reads(t, 1, 0) == 32);
    CHECK(reads(traffic(model_case(kGemm, {"", "M2 N2 K2/N4"})), 1, 0) == 8);
}

TEST_CASE("engines: bypass sends traffic to the next outer level that keeps the tensor") {
    const std::vector<std::string_view> kept{"K2 N2 M2", "M2 N2", "M2 N2 K2"};
    const auto all = traffic(model_case(kGemm, kept));
    const auto no_b = traffic(model_case(kGemm, {kept[0], "M2 N2//-B", kept[2]}));
    CHECK_FALSE(no_b.levels[1].movements[1].has_value());
    CHECK(reads(no_b, 0, 1) == at(no_b, 2, 1).fills);
    CHECK(at(no_b, 2, 1).fills == at(all, 2, 1).fills);
    const auto no_z = traffic(model_case(kGemm, {kept[0], kept[1], "M2 N2 K2//-Z"}));
    CHECK(at(no_z, 1, 2).updates == no_z.computes);
    CHECK(at(no_z, 1, 2).reads == no_z.computes - 64);
}

TEST_CASE("engines: multicast above a bypassed level follows that level's tiles") {
    // Level 1 has two instances along N, each of four along M; A depends on M only.
    const auto t = traffic(model_case(kGemm, {"K2/N2", "/M4/-A", "M2 N2 K2"}));
    CHECK(reads(t, 0, 0) == 2 * 4 * 4);
}

TEST_CASE("engines: bandwidths round up per level, compute is the floor") {
    ModelCase c = model_case(kGemm, {"K4 N3 M2", "M2 N2 K2"});
    c.architecture.levels[0].read_bandwidth = 0.5;    // 96 + 48 + 72 = 216 words
    c.architecture.levels[0].write_bandwidth = 0.25;  // 96 words
    c.architecture.levels[1].read_bandwidth = 2.75;   // 192 + 192 + 168 = 552 words
    const auto t = traffic(c);
    CHECK(t.levels[0].cycles == 432);
    CHECK(t.levels[1].cycles == 201);
    CHECK(t.cycles == 432);
    c.architecture.levels[0].read_bandwidth.reset();
    CHECK(traffic(c).cycles == 384);
}

TEST_CASE("engines: counts beyond 64 bits are an error") {
    constexpr std::string_view kBig = "K1048576 N1048576 M1048576";
    const ModelCase c = model_case(kGemm, {kBig, ""});
    const auto t = reference::evaluate(c.workload, c.architecture, c.mapping);
    REQUIRE(t.has_value());  // 2^60 iterations, at each of which the output changes
    CHECK(t->computes == std::int64_t{1} << 60U);
    CHECK(t->levels[0].movements[2]->updates == std::int64_t{1} << 60U);
    const auto walked = reference::simulate(c.workload, c.architecture, c.mapping);
    REQUIRE_FALSE(walked.has_value());
    CHECK(walked.error().code == reference::Error::Code::overflow);
    // A box of 2^25 words is new at each of 2^60 steps.
    const ModelCase wide = model_case("I:M,33554432R+X Z=M,N", {kBig, "X2 R2"});
    const auto too_many = reference::evaluate(wide.workload, wide.architecture, wide.mapping);
    REQUIRE_FALSE(too_many.has_value());
    CHECK(too_many.error().code == reference::Error::Code::overflow);
    CHECK(too_many.error().what == "data space 'I': over 2^63-1 words");
}

TEST_CASE("engines: a mapping that needs more than a level has does not fit") {
    ModelCase c = model_case(kGemm, {"K4 N3 M2", "M2 N2 K2"});
    c.architecture.levels[1].capacity_words = 12;
    CHECK(reference::fits(c.workload, c.architecture, c.mapping).has_value());
    c.architecture.levels[1].capacity_words = 11;
    const auto small = reference::fits(c.workload, c.architecture, c.mapping);
    REQUIRE_FALSE(small.has_value());
    CHECK(small.error().code == reference::Error::Code::does_not_fit);
    CHECK(small.error().what == "level 'L1': the tiles need 12 words, the capacity is 11");
    c.mapping.levels[1].keep[1] = false;
    CHECK(reference::fits(c.workload, c.architecture, c.mapping).has_value());
}

TEST_CASE("engines: with remainders a tile is no larger than what there is") {
    ModelCase c = model_case("A:M,K B:K,N Z=M,N", {"K4", "N3 M3", "M3 N2 K2"});
    c.mapping.levels[2].temporal[0].last_bound = 1;
    c.workload.dimensions[0].size = 7;  // in rounds of 3, 3 and 1
    const auto traffic = reference::simulate(c.workload, c.architecture, c.mapping);
    REQUIRE(traffic.has_value());
    std::int64_t words = 0;
    for (const auto& movement : traffic->levels[1].movements) words += movement->tile_words;
    CHECK(words == 7 * 2 + 2 * 6 + 7 * 6);
    c.architecture.levels[1].capacity_words = words;
    CHECK(reference::fits(c.workload, c.architecture, c.mapping).has_value());
    c.architecture.levels[1].capacity_words = words - 1;
    CHECK_FALSE(reference::fits(c.workload, c.architecture, c.mapping).has_value());
}

// The bound against brute force: every mapping of small shapes, judged by the engines.
// Does not test the command; loop_order.cpp and bound.cpp are tested through bound() alone.
// Run by the unit suite.
#include "reference/bound.hpp"

#include "reference/evaluate.hpp"
#include "reference/loop_chains.hpp"
#include "reference/matrix_product.hpp"
#include "reference/simulate.hpp"
#include "reference/tiles.hpp"
#include "tests/support/model_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

using reference::BoundOptions;
using reference::Loop;
using reference::Workload;

namespace {

constexpr std::string_view kGemm = "A:M,K B:K,N Z=M,N";
constexpr std::string_view kConv2d = "I:N,C,P+R,Q+S W:K,C,R,S O=N,K,P,Q";

Workload workload(std::string_view tensors, std::string_view sizes) {
    return tests::model_case(tensors, {sizes}).workload;
}

struct Small {
    std::string name;
    Workload workload;
};

std::vector<Small> small_shapes() {
    const auto make = [](std::string_view name, std::string_view tensors, std::string_view sizes) {
        return Small{std::string(name), workload(tensors, sizes)};
    };
    return {make("gemm", kGemm, "M4 N6 K4"),
            make("gemm with a size of 1", kGemm, "M1 N4 K6"),
            make("gemv", "A:M,K x:K y=M", "M4 K12"),
            make("batched", "A:H,M,K B:H,K,N Z=H,M,N", "H2 M4 N2 K2"),
            make("conv1d", "I:P+R W:R O=P", "P12 R4"),
            make("conv1d of many steps", "I:P+R W:R O=P", "P16 R8"),
            make("conv1d with channels", "I:C,P+R W:K,C,R O=K,P", "K2 C2 P4 R2"),
            make("strided", "I:2P+R W:R O=P", "P12 R3"),
            make("stride beyond the window", "I:3P+R W:R O=P", "P8 R2"),
            make("dilated", "I:P+2R W:R O=P", "P8 R4"),
            make("conv2d", "I:P+R,Q+S W:R,S O=P,Q", "P4 Q3 R2 S2"),
            make("two sliding inputs", "I:P+R J:P+T O=P", "P4 R4 T2"),
            make("three terms", "I:P+R+2T W:R,T O=P", "P4 R2 T2"),
            make("three terms alike", "I:P+R+T W:R,T O=P", "P6 R3 T4"),
            make("one dimension in two ranks", "A:M,M+K B:K Z=M", "M6 K4"),
            make("four data spaces", "A:I,R B:J,R C:I,J Z=R", "I4 J3 R2"),
            make("contraction", "T:A,E,F V:E,F,G Z=A,G", "A4 E2 F2 G4")};
}

struct Space {
    bool bypass = true;
    bool repeated = true;
};

/// Calls `visit` with every way to write the DRAM loops, outermost first, and the tile that is
/// left.
void for_each_nest(const Workload& of, bool repeated, std::vector<Loop>& loops,
                   std::vector<std::int64_t>& left,
                   const std::function<void(const std::vector<Loop>&)>& visit) {
    visit(loops);
    for (std::size_t d = 0; d < left.size(); ++d) {
        const auto id = static_cast<reference::DimensionId>(d);
        const bool there = std::any_of(loops.begin(), loops.end(),
                                       [&](const Loop& loop) { return loop.dimension == id; });
        if (!repeated && there) continue;
        if (!loops.empty() && loops.back().dimension == id) continue;  // as one loop
        const std::int64_t all = left[d];
        for (const std::int64_t bound : reference::divisors(all)) {
            if (bound == 1) continue;
            loops.push_back({id, bound});
            left[d] = all / bound;
            for_each_nest(of, repeated, loops, left, visit);
            loops.pop_back();
        }
        left[d] = all;
    }
}

/// Calls `visit` with every tile of perfect factors.
void for_each_tile(const Workload& of,
                   const std::function<void(const std::vector<std::int64_t>&)>& visit) {
    std::vector<std::int64_t> tile;
    const std::function<void()> next = [&] {
        if (tile.size() == of.dimensions.size()) return visit(tile);
        for (const std::int64_t bound : reference::divisors(of.dimensions[tile.size()].size)) {
            tile.push_back(bound);
            next();
            tile.pop_back();
        }
    };
    next();
}

/// DRAM reads + updates.
std::int64_t off_chip(const reference::Traffic& traffic) {
    std::int64_t words = 0;
    for (const auto& movement : traffic.levels[0].movements)
        words += movement->reads + movement->updates;
    return words;
}

std::int64_t judged(const reference::Case& c) {
    const auto traffic = reference::evaluate(c.workload, c.architecture, c.mapping);
    REQUIRE(traffic.has_value());
    return off_chip(*traffic);
}

std::int64_t buffer_words(const reference::Case& c) {
    std::int64_t words = 0;
    const auto bounds = reference::inner_bounds(c.workload, c.mapping, 1);
    for (std::size_t t = 0; t < c.workload.data_spaces.size(); ++t)
        if (c.mapping.levels[1].keep[t])
            words += reference::tile_words(c.workload.data_spaces[t], bounds).value();
    return words;
}

/// Words to traffic, wherever the traffic falls: by looking at every mapping.
std::map<std::int64_t, std::int64_t> brute_force(const Workload& of, Space space) {
    reference::Case c{of, {}, {}};
    c.architecture.levels = {{.name = "DRAM"}, {.name = "Buffer"}};
    const std::size_t data_spaces = of.data_spaces.size();
    c.mapping.levels.resize(2);
    c.mapping.levels[0].keep.assign(data_spaces, true);
    std::map<std::int64_t, std::int64_t> least;
    std::vector<std::int64_t> left;
    for (const auto& dimension : of.dimensions) left.push_back(dimension.size);
    std::vector<Loop> loops;
    for_each_nest(of, space.repeated, loops, left, [&](const std::vector<Loop>& dram) {
        c.mapping.levels[0].temporal = dram;
        c.mapping.levels[1].temporal.clear();
        for (std::size_t d = 0; d < left.size(); ++d)
            c.mapping.levels[1].temporal.push_back(
                {static_cast<reference::DimensionId>(d), left[d]});
        for (std::size_t bypassed = 0; bypassed < (space.bypass ? 1U << data_spaces : 1U);
             ++bypassed) {
            c.mapping.levels[1].keep.clear();
            for (std::size_t t = 0; t < data_spaces; ++t)
                c.mapping.levels[1].keep.push_back((bypassed >> t & 1U) == 0);
            const auto [at, fresh] = least.try_emplace(buffer_words(c), 0);
            const std::int64_t words = judged(c);
            if (fresh || words < at->second) at->second = words;
        }
    });
    std::map<std::int64_t, std::int64_t> curve;
    for (const auto& [words, traffic] : least)
        if (curve.empty() || traffic < curve.rbegin()->second) curve[words] = traffic;
    return curve;
}

std::map<std::int64_t, std::int64_t> curve_of(const reference::Bound& bound) {
    std::map<std::int64_t, std::int64_t> curve;
    for (const auto& point : bound.points) curve[point.buffer_words] = point.traffic;
    return curve;
}

reference::Bound bound_of(const Workload& of, const BoundOptions& options = {}) {
    auto found = reference::bound(of, options);
    REQUIRE(found.has_value());
    return std::move(*found);
}

BoundOptions options_of(Space space) {
    BoundOptions options;
    options.bypass = space.bypass;
    options.orders.repeated_loops = space.repeated;
    return options;
}

/// As a heuristic, of so few candidates that no search is complete.
BoundOptions hurried(std::int64_t candidates) {
    BoundOptions options;
    options.most_candidates = candidates;
    return options;
}

std::int64_t within(const std::map<std::int64_t, std::int64_t>& curve, std::int64_t words) {
    const auto after = curve.upper_bound(words);
    REQUIRE(after != curve.begin());
    return std::prev(after)->second;
}

}  // namespace

TEST_CASE("bound: equals brute force over every mapping of small shapes") {
    for (const Small& shape : small_shapes()) {
        for (const Space space :
             {Space{true, true}, {true, false}, {false, true}, {false, false}}) {
            CAPTURE(shape.name);
            CAPTURE(space.bypass);
            CAPTURE(space.repeated);
            const reference::Bound bound = bound_of(shape.workload, options_of(space));
            CHECK(bound.proven);
            CHECK(curve_of(bound) == brute_force(shape.workload, space));
        }
    }
}

TEST_CASE("bound: one buffer size gives the point of the curve") {
    for (const Small& shape : small_shapes()) {
        CAPTURE(shape.name);
        const auto curve = curve_of(bound_of(shape.workload));
        const std::int64_t largest = curve.rbegin()->first;
        for (std::int64_t words = 0; words <= largest + 1; ++words) {
            BoundOptions options;
            options.buffer_words = words;
            const reference::Bound one = bound_of(shape.workload, options);
            REQUIRE(one.points.size() == 1);
            CHECK(one.points[0].buffer_words <= words);
            CHECK(one.points[0].traffic == within(curve, words));
        }
    }
}

TEST_CASE("bound: every point is reached by its mapping, which both engines count alike") {
    for (const Small& shape : small_shapes()) {
        CAPTURE(shape.name);
        for (const auto& point : bound_of(shape.workload).points) {
            const auto& c = point.best;
            const auto walked = reference::simulate(c.workload, c.architecture, c.mapping);
            REQUIRE(walked.has_value());
            CHECK(off_chip(*walked) == point.traffic);
            CHECK(judged(c) == point.traffic);
            CHECK(buffer_words(c) == point.buffer_words);
            CHECK(c.architecture.levels[1].capacity_words == point.buffer_words);
            CHECK(reference::fits(c.workload, c.architecture, c.mapping).has_value());
        }
    }
}

TEST_CASE("bound: the curve falls to the compulsory traffic and never below it") {
    for (const Small& shape : small_shapes()) {
        CAPTURE(shape.name);
        const reference::Bound bound = bound_of(shape.workload);
        for (std::size_t i = 1; i < bound.points.size(); ++i) {
            CHECK(bound.points[i].buffer_words > bound.points[i - 1].buffer_words);
            CHECK(bound.points[i].traffic < bound.points[i - 1].traffic);
        }
        CHECK(bound.points.back().traffic >= bound.compulsory);
    }
    // Every input once, the output once; the holes of a stride are in no one's need.
    CHECK(bound_of(workload(kGemm, "M4 N6 K8")).compulsory == 4 * 8 + 8 * 6 + 4 * 6);
    CHECK(bound_of(workload(kGemm, "M4 N6 K8")).points.back().traffic == 104);
    const reference::Bound holes = bound_of(workload("I:3P+R W:R O=P", "P8 R1"));
    CHECK(holes.compulsory == 8 + 1 + 8);
    CHECK(holes.points.back().traffic == 17);
}

TEST_CASE("bound: without its prunings the search finds the same") {
    for (const Small& shape : small_shapes()) {
        for (const Space space : {Space{true, true}, {false, false}}) {
            CAPTURE(shape.name);
            const auto curve = curve_of(bound_of(shape.workload, options_of(space)));
            BoundOptions options = options_of(space);
            options.prune = false;
            CHECK(curve_of(bound_of(shape.workload, options)) == curve);
            options.orders.whole_plain_loops = false;
            CHECK(curve_of(bound_of(shape.workload, options)) == curve);
            options.prune = true;
            CHECK(curve_of(bound_of(shape.workload, options)) == curve);
        }
    }
}

TEST_CASE("bound: what prunes is below every order of a tile, and sometimes reached") {
    std::size_t reached = 0;
    for (const Small& shape : small_shapes()) {
        CAPTURE(shape.name);
        reference::LoopOrders orders(shape.workload, {});
        for_each_tile(shape.workload, [&](const std::vector<std::int64_t>& tile) {
            orders.set_tile(tile);
            const auto all = reference::KeepMask{1} << shape.workload.data_spaces.size();
            for (reference::KeepMask kept = 0; kept < all; ++kept) {
                std::int64_t least = 0;
                orders.least({&kept, 1}, {&least, 1});
                CHECK(orders.at_least(kept) <= least);
                reached += orders.at_least(kept) == least ? 1 : 0;
            }
        });
    }
    CHECK(reached > 0);
}

TEST_CASE("bound: pruning leaves out most of the tiles") {
    const Workload gemm = workload(kGemm, "M64 N64 K64");
    BoundOptions all;
    all.prune = false;
    CHECK(bound_of(gemm, all).tiles_tried == 7 * 7 * 7);
    CHECK(bound_of(gemm).tiles_tried < 7 * 7 * 7 / 2);
}

TEST_CASE("bound: a dimension in several loops can beat every order of whole loops") {
    bool better = false;
    for (const Small& shape : small_shapes()) {
        const auto whole = curve_of(bound_of(shape.workload, options_of({true, false})));
        const auto repeated = curve_of(bound_of(shape.workload));
        for (const auto& [words, traffic] : whole) {
            CHECK(within(repeated, words) <= traffic);
            better = better || within(repeated, words) < traffic;
        }
    }
    CHECK(better);
}

TEST_CASE("bound: a heuristic result says so and is never better than the proven one") {
    std::vector<Small> shapes = small_shapes();
    shapes.push_back({"layer", workload(kConv2d, "N2 K16 C8 P12 Q12 R3 S3")});
    for (const Small& shape : shapes) {
        CAPTURE(shape.name);
        const reference::Bound proven = bound_of(shape.workload);
        REQUIRE(proven.proven);
        for (const std::int64_t few : {1, 10, 100, 1000, 100000}) {
            const reference::Bound quick = bound_of(shape.workload, hurried(few));
            CHECK(quick.proven == (proven.candidates <= few));
            CHECK(quick.candidates == proven.candidates);
            for (const auto& point : quick.points) {
                CHECK(point.traffic >= within(curve_of(proven), point.buffer_words));
                CHECK(point.traffic == judged(point.best));
            }
        }
    }
}

TEST_CASE("bound: a greedy order says so and is never better than the best one") {
    BoundOptions options;
    options.orders.most_states = 2;
    for (const Small& shape : small_shapes()) {
        CAPTURE(shape.name);
        const auto proven = curve_of(bound_of(shape.workload));
        const reference::Bound greedy = bound_of(shape.workload, options);
        CHECK_FALSE(greedy.proven);
        for (const auto& point : greedy.points) {
            CHECK(point.traffic >= within(proven, point.buffer_words));
            CHECK(point.traffic == judged(point.best));
        }
    }
}

TEST_CASE("bound: a heuristic for many dimensions ends and is honest") {
    std::string tensors = "A:", sizes;
    for (char d = 'A'; d <= 'P'; ++d) {
        tensors += std::string(d == 'A' ? "" : ",") + d;
        sizes += std::string(d == 'A' ? "" : " ") + d + "4";
    }
    const reference::Bound bound =
        bound_of(workload(tensors + " B:A,B,C Z=C,D,E", sizes), hurried(200'000));
    CHECK_FALSE(bound.proven);
    for (const auto& point : bound.points) CHECK(point.traffic == judged(point.best));
    CHECK(bound.points.back().traffic >= bound.compulsory);
}

TEST_CASE("bound: what is no matrix product, and what is") {
    const auto sizes = [](std::string_view tensors, std::string_view all) {
        const auto p = reference::as_matrix_product(workload(tensors, all));
        return p ? std::vector<std::int64_t>{p->m, p->n, p->k} : std::vector<std::int64_t>{};
    };
    using Sizes = std::vector<std::int64_t>;
    CHECK(sizes(kGemm, "M4 N6 K8") == Sizes{4, 6, 8});
    CHECK(sizes("A:M,K x:K y=M", "M4 K8") == Sizes{4, 1, 8});
    CHECK(sizes("T:A,E,F V:E,F,G Z=A,G", "A4 E2 F3 G5") == Sizes{4, 5, 6});
    CHECK(sizes("I:C,P+R W:K,C,R O=K,P", "K2 C3 P4 R1") == Sizes{4, 2, 3});
    CHECK(sizes("I:C,P+R W:K,C,R O=K,P", "K2 C3 P4 R2").empty());
    CHECK(sizes("A:H,M,K B:H,K,N Z=H,M,N", "H2 M4 N2 K2").empty());
    CHECK(sizes("A:H,M,K B:H,K,N Z=H,M,N", "H1 M4 N2 K2") == Sizes{4, 2, 2});
    CHECK(sizes("A:2M,K B:K,N Z=M,N", "M4 N6 K8").empty());
    CHECK(sizes("A:I,R B:J,R C:I,J Z=R", "I4 J3 R2").empty());
    CHECK(sizes("A:M,K B:K Z=M,N", "M4 N6 K8").empty());
}

TEST_CASE("bound: never below what is proven for matrix products, and near it") {
    for (const std::string_view sizes :
         {"M4 N6 K4", "M64 N64 K64", "M60 N48 K36", "M512 N8 K512", "M4096 N4096 K4096"}) {
        const Workload gemm = workload(kGemm, sizes);
        const auto product = reference::as_matrix_product(gemm);
        REQUIRE(product.has_value());
        for (const bool bypass : {false, true}) {
            CAPTURE(sizes);
            CAPTURE(bypass);
            for (const auto& point : bound_of(gemm, options_of({bypass, true})).points) {
                const std::int64_t fast = point.buffer_words + (bypass ? 3 : 0);
                CHECK(static_cast<double>(point.traffic) >=
                      reference::matrix_product_bound(*product, fast));
            }
        }
    }
}

TEST_CASE("bound: a large matrix product comes within a sixth of what is proven") {
    const Workload gemm = workload(kGemm, "M4096 N4096 K4096");
    const auto product = reference::as_matrix_product(gemm);
    for (const std::int64_t side : {32, 64, 128, 256}) {
        BoundOptions options;
        options.buffer_words = side * side + 2 * side;  // an output tile, a column and a row
        const std::int64_t traffic = bound_of(gemm, options).points[0].traffic;
        const std::int64_t reads = 2 * (std::int64_t{1} << 36U) / side;
        CHECK(traffic == reads + 4096 * 4096);
        CHECK(static_cast<double>(traffic) <
              1.17 * reference::matrix_product_bound(*product, *options.buffer_words + 3));
    }
}

TEST_CASE("bound: layers of networks are proven") {
    const reference::Bound layer = bound_of(workload(kConv2d, "N1 K64 C64 P56 Q56 R3 S3"));
    CHECK(layer.proven);
    CHECK(layer.compulsory == 64 * 58 * 58 + 64 * 64 * 9 + 64 * 56 * 56);
    CHECK(layer.points.back().traffic == layer.compulsory);
    CHECK(layer.points.front().buffer_words == 0);  // every data space bypasses the buffer
    CHECK(layer.points.front().traffic == 4 * (std::int64_t{64} * 64 * 56 * 56 * 9) - 64 * 56 * 56);
}

TEST_CASE("bound: beyond 64 bits is an error, not a number") {
    // 2^62 operations: 4 times as many words if nothing is kept.
    const Workload huge = workload(kGemm, "M2097152 N2097152 K1048576");
    const auto all = reference::bound(huge);
    REQUIRE_FALSE(all.has_value());
    CHECK(all.error().code == reference::Error::Code::overflow);
    CHECK(all.error().what == "the least traffic of a buffer of 0 words exceeds 2^63-1 words");
    BoundOptions options;
    options.buffer_words = 1 << 20U;
    CHECK(bound_of(huge, options).points[0].traffic > 0);
    options.buffer_words = 0;
    CHECK_FALSE(reference::bound(huge, options).has_value());
    const auto iterations = reference::bound(workload(kGemm, "M2097152 N2097152 K2097152"));
    REQUIRE_FALSE(iterations.has_value());
    CHECK(iterations.error().code == reference::Error::Code::overflow);
}

TEST_CASE("bound: what it does not take is said") {
    BoundOptions options;
    options.bypass = false;
    options.buffer_words = 2;
    const auto small = reference::bound(workload(kGemm, "M4 N4 K4"), options);
    REQUIRE_FALSE(small.has_value());
    CHECK(small.error().code == reference::Error::Code::does_not_fit);
    CHECK(small.error().what == "no mapping fits into 2 words");
    const auto no_output = reference::bound(workload("A:M B:M", "M4"));
    REQUIRE_FALSE(no_output.has_value());
    CHECK(no_output.error().code == reference::Error::Code::inconsistent);
    const auto many =
        reference::bound(workload("A:M B:M C:M D:M E:M F:M G:M H:M I:M J:M Z=M", "M4"));
    REQUIRE_FALSE(many.has_value());
    CHECK(many.error().what ==
          "11 data spaces; the bound takes at most 10, or more if all of them are kept");
}

// Draws cases.
// Does not weigh the shapes by what users do.
// See wild_case.hpp.
#include "tests/support/wild_case.hpp"

#include "tests/support/model_case.hpp"
#include "tests/support/shrink.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tests {

namespace {

using reference::Case;
using reference::DimensionId;
using reference::Random;

constexpr std::array<std::string_view, 12> kKnown{"A:M,K B:K,N Z=M,N",
                                                  "A:B,M,K W:B,K,N Z=B,M,N",
                                                  "T:I,K,L B:K,J C:L,J Z=I,J",
                                                  "A:M X:M Z=M",
                                                  "A:M,K X:K Z=M",
                                                  "I:C,P+R W:K,C,R O=K,P",
                                                  "I:C,2P+R W:K,C,R O=K,P",
                                                  "I:C,P+3R W:K,C,R O=K,P",
                                                  "I:C,2P+R,Q+2S W:C,R,S O=C,P,Q",
                                                  "I:2P+3R,3P+2Q W:R,P+P O=P,Q",
                                                  "I:P,P+R,2R W:P+Q+R O=Q",
                                                  "I:M+2M,K+P W:4K,4P Z="};

bool one_in(Random& random, std::uint64_t n) {
    return random.below(n) == 0;
}

std::int64_t from_1_to(Random& random, std::uint64_t most) {
    return static_cast<std::int64_t>(1 + random.below(most));
}

/// In the text form of model_case.hpp: two inputs whose ranks have up to three terms.
std::string invented(Random& random) {
    constexpr std::string_view kLetters = "PQRS";
    std::string text;
    for (const std::string_view name : {"X:", "W:"}) {
        text += name;
        const std::uint64_t ranks = 1 + random.below(3);
        for (std::uint64_t r = 0; r < ranks; ++r) {
            const std::uint64_t terms = 1 + random.below(3);
            for (std::uint64_t t = 0; t < terms; ++t) {
                text += t > 0 ? "+" : r > 0 ? "," : "";
                if (one_in(random, 2)) text += std::to_string(from_1_to(random, 4));
                text += kLetters[random.below(kLetters.size())];
            }
        }
        text += ' ';
    }
    text += "Z=";
    for (const char letter : kLetters)
        if (one_in(random, 2)) text += (text.back() == '=' ? "" : ",") + std::string(1, letter);
    return text;
}

void add_loops(Random& random, std::int64_t iterations, Case& c) {
    const std::uint64_t loops = random.below(11);
    std::int64_t product = 1;
    for (std::uint64_t i = 0; i < loops; ++i) {
        const std::int64_t bound = from_1_to(random, one_in(random, 8) ? 7 : 4);
        if (product * bound > iterations) continue;
        product *= bound;
        const DimensionId dimension{random.below(c.workload.dimensions.size())};
        auto& level = c.mapping.levels[random.below(c.mapping.levels.size())];
        (one_in(random, 3) ? level.spatial : level.temporal).push_back({dimension, bound});
    }
    for (auto& level : c.mapping.levels) level.spatial_y = random.below(level.spatial.size() + 1);
}

/// More instances than are used, now and then, in rows of any length that divides them.
template <class Hardware>
void lay_out(Random& random, Hardware& hardware) {
    if (one_in(random, 3)) hardware.instances *= from_1_to(random, 3);
    if (one_in(random, 2)) return;
    const std::int64_t rows = from_1_to(random, 4);
    if (hardware.instances % rows == 0) hardware.mesh_x = hardware.instances / rows;
}

std::optional<double> bandwidth(Random& random) {
    if (!one_in(random, 3)) return std::nullopt;
    return 0.25 * static_cast<double>(from_1_to(random, 16));
}

}  // namespace

Case wild_case(Random& random, std::int64_t iterations) {
    const std::string tensors =
        one_in(random, 2) ? invented(random) : std::string(kKnown[random.below(kKnown.size())]);
    ModelCase base =
        model_case(tensors, std::vector<std::string_view>(1 + random.below(4), std::string_view()));
    Case c{std::move(base.workload), std::move(base.architecture), std::move(base.mapping)};
    add_loops(random, iterations, c);
    for (std::size_t level = 1; level < c.mapping.levels.size(); ++level)
        for (std::size_t d = 0; d < c.workload.data_spaces.size(); ++d)
            c.mapping.levels[level].keep[d] = !one_in(random, 4);
    if (one_in(random, 2)) c.architecture.compute = {"MAC", 1, {}};
    settle(c);
    for (auto& level : c.architecture.levels) {
        lay_out(random, level);
        level.read_bandwidth = bandwidth(random);
        level.write_bandwidth = bandwidth(random);
        level.shared_bandwidth = bandwidth(random);
    }
    if (c.architecture.compute) lay_out(random, *c.architecture.compute);
    return c;
}

}  // namespace tests

// Philox4x32-10, from "Parallel random numbers: as easy as 1, 2, 3" (Salmon et al., SC 2011).
// Does not keep state beyond a counter.
// See random.hpp.
#include "reference/random.hpp"

#include <cassert>

namespace reference {

namespace {

using Block = std::array<std::uint32_t, 4>;

Block philox(Block counter, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32U) ^ counter[1] ^ key0,
                   static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32U) ^ counter[3] ^ key1,
                   static_cast<std::uint32_t>(p0)};
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return counter;
}

}  // namespace

Random::Random(const Seed& seed, std::uint64_t stream) : stream_(stream) {
    std::array<std::uint32_t, 8> words{};
    for (std::size_t i = 0; i < seed.size(); ++i)
        words[i / 4] |= static_cast<std::uint32_t>(seed[i]) << (8 * (i % 4));
    // All 256 bits count: the second half is enciphered under the first, then both are used.
    const Block mixed = philox({words[4], words[5], words[6], words[7]}, words[0], words[1]);
    key_ = {words[2] ^ mixed[0], words[3] ^ mixed[1], mixed[2], mixed[3]};
}

std::uint64_t Random::next() {
    const Block first =
        philox({static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32U),
                static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32U)},
               key_[0], key_[1]);
    const Block second = philox(first, key_[2], key_[3]);
    ++counter_;
    return (std::uint64_t{second[1]} << 32U) | second[0];
}

std::uint64_t Random::below(std::uint64_t bound) {
    assert(bound >= 1);
    const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % bound + 1) % bound;
    for (;;) {
        const std::uint64_t value = next();
        if (value <= limit) return value % bound;
    }
}

}  // namespace reference

// Divisors, and which of them are one prime apart.
// Does not factor large numbers fast: sizes of dimensions are small.
// See loop_chains.hpp.
#include "reference/loop_chains.hpp"

#include <algorithm>
#include <cassert>

namespace reference {

namespace {

std::vector<std::int64_t> primes_of(std::int64_t number) {
    std::vector<std::int64_t> primes;
    for (std::int64_t p = 2; p <= number / p; ++p) {
        if (number % p != 0) continue;
        primes.push_back(p);
        while (number % p == 0) number /= p;
    }
    if (number > 1) primes.push_back(number);
    return primes;
}

}  // namespace

std::vector<std::int64_t> divisors(std::int64_t number) {
    assert(number >= 1);
    std::vector<std::int64_t> all{1};
    for (const std::int64_t p : primes_of(number)) {
        const std::size_t before = all.size();
        std::int64_t power = 1;
        for (std::int64_t rest = number; rest % p == 0; rest /= p) {
            power *= p;
            for (std::size_t i = 0; i < before; ++i) all.push_back(all[i] * power);
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

Chain whole_chain(std::int64_t count) {
    if (count == 1) return {{1}, {{}}};
    return {{1, count}, {{1}, {}}};
}

Chain prime_chain(std::int64_t count) {
    Chain chain{divisors(count), {}};
    const auto primes = primes_of(count);
    for (const std::int64_t product : chain.products) {
        std::vector<std::size_t>& next = chain.next.emplace_back();
        for (const std::int64_t p : primes) {
            if (count / product % p != 0) continue;
            const auto found =
                std::lower_bound(chain.products.begin(), chain.products.end(), product * p);
            next.push_back(static_cast<std::size_t>(found - chain.products.begin()));
        }
    }
    return chain;
}

}  // namespace reference

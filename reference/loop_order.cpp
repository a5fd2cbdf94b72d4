// Shortest path over the products of the loops inside.
//
// evaluate.cpp adds up, for a data space: its first box, and for each DRAM loop the number of times
// it advances times the words that are new after the box moved by (step of the loop) - (fallback of
// the loops inside). The number of advances is steps / (product of the bounds inside and of the
// loop) x (bound - 1). The fallback is, per rank, the sum over its terms of coefficient x tile
// bound x (product inside of that dimension - 1). Both know the loops inside by their products
// alone. So the states of the search are the products per dimension, a step adds a loop around them
// at a price that depends on the state and the loop only, and the cheapest way from nothing to
// everything is the best order. Nothing is left out: the ways are the orders.
//
// Does not count anything else than off-chip words. See loop_order.hpp.
#include "reference/loop_order.hpp"

#include "reference/shifts.hpp"
#include "reference/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace reference {

namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? kTooManyWords : result;
}

std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kTooManyWords : result;
}

bool is_plain(const DataSpace& data_space) {
    return std::all_of(data_space.ranks.begin(), data_space.ranks.end(),
                       [](const Rank& rank) { return rank.size() <= 1; });
}

/// In a rank of two or more terms: its loops move boxes that overlap.
bool slides(const Workload& workload, std::size_t dimension) {
    for (const DataSpace& data_space : workload.data_spaces)
        for (const Rank& rank : data_space.ranks)
            for (const Term& term : rank)
                if (rank.size() > 1 && index(term.dimension) == dimension) return true;
    return false;
}

std::int64_t coefficient_of(const Rank& rank, std::size_t dimension) {
    std::int64_t coefficient = 0;
    for (const Term& term : rank)
        if (index(term.dimension) == dimension) coefficient += term.coefficient;
    return coefficient;
}

/// A sum of two sets of a and b numbers has at least a + b - 1; the ranks of a data space need not
/// be independent, so only the largest counts.
std::int64_t surely_touched(const DataSpace& data_space, const Workload& workload) {
    std::int64_t most = 1;
    for (const Rank& rank : data_space.ranks) {
        std::int64_t numbers = 1;
        for (std::size_t d = 0; d < workload.dimensions.size(); ++d)
            if (coefficient_of(rank, d) != 0) numbers += workload.dimensions[d].size - 1;
        most = std::max(most, numbers);
    }
    return most;
}

}  // namespace

std::int64_t touched_words(const DataSpace& data_space, const Workload& workload) {
    std::vector<SpatialStep> loops;
    for (std::size_t d = 0; d < workload.dimensions.size(); ++d) {
        if (workload.dimensions[d].size == 1) continue;
        SpatialStep loop{Shift{}, workload.dimensions[d].size};
        for (std::size_t r = 0; r < data_space.ranks.size(); ++r)
            loop.step[r] = coefficient_of(data_space.ranks[r], d);
        loops.push_back(loop);
    }
    const auto places = distinct_shifts(loops);
    return places ? *places : surely_touched(data_space, workload);
}

/// Where a dimension may be kept whole. Say that in every data space M either moves nothing or has
/// a rank of its own, and that there are several loops of M. Let v_j be 1 / (product of the M loops
/// inside loop j): 1 = v_1 >= v_2 >= ... >= 1 / count from the inside out. Advances are linear in
/// these v: those of another loop j are (bound - 1) x steps / (its other loops inside) x v_j, and
/// those of M loops between j and j+1 are proportional to v_j - v_j+1. The words that are new do
/// not depend on v, but for this: a data space that M moves takes all its words at j as soon as v_j
/// < 1. So the sum is linear in v, but lower where some v_j are 1. A linear function on such
/// ordered v is least where all v are 1 or 1 / count, and there the lower values only help: one
/// loop is enough.
LoopOrders::LoopOrders(const Workload& workload, OrderOptions options) : options_(options) {
    for (std::size_t d = 0; d < workload.dimensions.size(); ++d) {
        const std::int64_t size = workload.dimensions[d].size;
        sizes_.push_back(size);
        computes_ *= size;
        const bool whole =
            !options.repeated_loops || (options.whole_plain_loops && !slides(workload, d));
        Dimension& dimension = dimensions_.emplace_back();
        dimension.counts = divisors(size);
        for (const std::int64_t count : dimension.counts)
            dimension.chains.push_back(whole ? whole_chain(count) : prime_chain(count));
    }
    for (const DataSpace& data_space : workload.data_spaces) {
        Space& space = spaces_.emplace_back();
        space.data_space = &data_space;
        space.plain = is_plain(data_space);
        space.touched = touched_words(data_space, workload);
        space.weight = data_space.output ? 2 : 1;
        space.free = data_space.output ? reference::tile_words(data_space, sizes_).value() : 0;
        space.extents.resize(data_space.ranks.size());
        space.fallbacks.resize(data_space.ranks.size());
    }
}

std::int64_t LoopOrders::compulsory() const {
    std::int64_t words = 0;
    for (const Space& space : spaces_) words = sum(words, space.touched);
    return words;
}

const Chain& LoopOrders::chain(std::size_t dimension, std::int64_t count) const {
    const Dimension& all = dimensions_[dimension];
    const auto found = std::lower_bound(all.counts.begin(), all.counts.end(), count);
    assert(found != all.counts.end() && *found == count);
    return all.chains[static_cast<std::size_t>(found - all.counts.begin())];
}

std::size_t LoopOrders::states(std::size_t dimension, std::int64_t count) const {
    return chain(dimension, count).products.size();
}

void LoopOrders::set_tile(std::span<const std::int64_t> tile) {
    digits_.clear();
    states_ = 1;
    steps_ = 1;
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
        const std::int64_t count = sizes_[d] / tile[d];
        if (count == 1) continue;
        digits_.push_back({d, &chain(d, count), states_});
        steps_ *= count;
        // At most 2^63 products, as each has two or more iterations.
        if (__builtin_mul_overflow(states_, digits_.back().chain->products.size(), &states_))
            states_ = std::numeric_limits<std::size_t>::max();
    }
    for (Space& space : spaces_) set_space(space, tile);
}

void LoopOrders::set_space(Space& space, std::span<const std::int64_t> tile) const {
    const std::vector<Rank>& ranks = space.data_space->ranks;
    space.relevant = 0;
    space.words = 1;
    space.steps.resize(ranks.size() * digits_.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        space.extents[r] = extent(ranks[r], tile).value();
        space.words *= space.extents[r];
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            const std::size_t d = digits_[i].dimension;
            const std::int64_t step = coefficient_of(ranks[r], d) * tile[d];
            space.steps[r * digits_.size() + i] = step;
            if (step != 0) space.relevant |= std::uint64_t{1} << i;
        }
    }
}

/// Every data space moves its touched words at least. And some loop is the innermost one: at each
/// of the `steps_` its boxes are new to every plain data space that it moves.
std::int64_t LoopOrders::at_least(KeepMask kept) const {
    std::int64_t once = 0;
    for (std::size_t t = 0; t < spaces_.size(); ++t)
        if (keeps(kept, t)) once = sum(once, spaces_[t].weight * spaces_[t].touched);
    std::int64_t least = digits_.empty() ? once : kTooManyWords;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
        std::int64_t words = 0;
        for (std::size_t t = 0; t < spaces_.size(); ++t) {
            if (!keeps(kept, t)) continue;
            const Space& space = spaces_[t];
            const bool all_new = space.plain && (space.relevant >> i & 1U) != 0;
            words = sum(words, product(space.weight,
                                       all_new ? product(steps_, space.words) : space.touched));
        }
        least = std::min(least, words);
    }
    return final_words(kept, least);
}

std::int64_t LoopOrders::first_words(KeepMask kept) const {
    std::int64_t words = 0;
    for (std::size_t t = 0; t < spaces_.size(); ++t)
        if (keeps(kept, t)) words = sum(words, product(spaces_[t].weight, spaces_[t].words));
    return words;
}

/// With the data spaces that are not kept, which the units take from DRAM word by word, and without
/// the reads of first touches.
std::int64_t LoopOrders::final_words(KeepMask kept, std::int64_t moved) const {
    std::int64_t free = 0;
    for (std::size_t t = 0; t < spaces_.size(); ++t) {
        if (!keeps(kept, t)) moved = sum(moved, product(spaces_[t].weight, computes_));
        free += spaces_[t].free;
    }
    return moved == kTooManyWords ? moved : moved - free;
}

void LoopOrders::go_to(std::size_t state) {
    for (Digit& digit : digits_) {
        digit.at = state % digit.chain->products.size();
        state /= digit.chain->products.size();
    }
    enter();
}

void LoopOrders::enter() {
    inside_ = 1;
    moving_ = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
        inside_ *= digits_[i].product();
        if (digits_[i].at != 0) moving_ |= std::uint64_t{1} << i;
    }
    for (Space& space : spaces_) {
        if (space.plain) continue;
        for (std::size_t r = 0; r < space.fallbacks.size(); ++r) {
            std::int64_t fallback = 0;
            for (std::size_t i = 0; i < digits_.size(); ++i)
                fallback += space.steps[r * digits_.size() + i] * (digits_[i].product() - 1);
            space.fallbacks[r] = fallback;
        }
    }
}

/// Of one advance of a loop around the state at hand.
std::int64_t LoopOrders::new_words(const Space& space, Move move) const {
    const std::uint64_t moved = moving_ | std::uint64_t{1} << move.digit;
    if ((space.relevant & moved) == 0) return 0;
    if (space.plain) return space.words;
    const std::int64_t stride = digits_[move.digit].product();
    std::int64_t common = 1;
    for (std::size_t r = 0; r < space.extents.size(); ++r) {
        const std::int64_t step = space.steps[r * digits_.size() + move.digit] * stride;
        common *= std::max<std::int64_t>(0, space.extents[r] - std::abs(step - space.fallbacks[r]));
    }
    return space.words - common;
}

/// Per data space the words of all advances of the loop.
void LoopOrders::price(Move move, std::span<std::int64_t> words) const {
    const Digit& digit = digits_[move.digit];
    const std::int64_t bound = digit.chain->products[move.to] / digit.product();
    const std::int64_t advances = steps_ / (inside_ * bound) * (bound - 1);
    for (std::size_t t = 0; t < spaces_.size(); ++t)
        words[t] = product(spaces_[t].weight, product(advances, new_words(spaces_[t], move)));
}

/// Fills reached_. A loop leads to a larger number of a state, so each state is final when left.
void LoopOrders::search(std::span<const KeepMask> kept) {
    reached_.assign(states_ * kept.size(), {kTooManyWords, 0});
    for (std::size_t c = 0; c < kept.size(); ++c) reached_[c].words = first_words(kept[c]);
    std::vector<std::int64_t> words(spaces_.size());
    for (std::size_t state = 0; state + 1 < states_; ++state) {
        go_to(state);
        const Reached* here = &reached_[state * kept.size()];
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            for (const std::size_t to : digits_[i].chain->next[digits_[i].at]) {
                price({i, to}, words);
                Reached* there =
                    &reached_[(state + (to - digits_[i].at) * digits_[i].stride) * kept.size()];
                for (std::size_t c = 0; c < kept.size(); ++c) {
                    std::int64_t total = here[c].words;
                    for (std::size_t t = 0; t < words.size(); ++t)
                        if (keeps(kept[c], t)) total = sum(total, words[t]);
                    if (total < there[c].words) there[c] = {total, state};
                }
            }
        }
    }
}

void LoopOrders::least(std::span<const KeepMask> kept, std::span<std::int64_t> traffic) {
    if (!greedy()) search(kept);
    for (std::size_t c = 0; c < kept.size(); ++c) {
        std::int64_t moved = 0;
        if (greedy())
            greedy_path(kept[c], moved);
        else
            moved = reached_[(states_ - 1) * kept.size() + c].words;
        traffic[c] = final_words(kept[c], moved);
    }
}

/// From the inside out, always the loop whose advances bring the fewest words, each counted as if
/// there were only that loop around: words x bound / (bound - 1). Of equals the first.
std::vector<LoopOrders::Move> LoopOrders::greedy_path(KeepMask kept, std::int64_t& moved) {
    std::vector<Move> moves;
    moved = first_words(kept);
    for (Digit& digit : digits_) digit.at = 0;
    for (;;) {
        enter();
        std::optional<Move> best;
        std::int64_t best_new = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            if (digits_[i].chain->next[digits_[i].at].empty()) continue;
            const Move move{i, digits_[i].chain->next[digits_[i].at].front()};
            std::int64_t fresh = 0;
            for (std::size_t t = 0; t < spaces_.size(); ++t)
                if (keeps(kept, t))
                    fresh = sum(fresh, product(spaces_[t].weight, new_words(spaces_[t], move)));
            if (best && fresh >= best_new) continue;
            best = move;
            best_new = fresh;
        }
        if (!best) return moves;
        Digit& digit = digits_[best->digit];
        const std::int64_t bound = digit.chain->products[best->to] / digit.product();
        moved = sum(moved, product(steps_ / (inside_ * bound) * (bound - 1), best_new));
        digit.at = best->to;
        moves.push_back(*best);
    }
}

/// The loops of the best way of one choice, innermost first.
std::vector<LoopOrders::Move> LoopOrders::path(std::size_t choice, std::size_t choices) const {
    std::vector<Move> moves;
    for (std::size_t state = states_ - 1; state != 0;) {
        const std::size_t from = reached_[state * choices + choice].from;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            const std::size_t length = digits_[i].chain->products.size();
            const std::size_t to = state / digits_[i].stride % length;
            if (from / digits_[i].stride % length != to) moves.push_back({i, to});
        }
        state = from;
    }
    std::reverse(moves.begin(), moves.end());
    return moves;
}

std::vector<Loop> LoopOrders::order(KeepMask kept) {
    std::int64_t moved = 0;
    std::vector<Move> moves;
    if (greedy()) {
        moves = greedy_path(kept, moved);
    } else {
        search({&kept, 1});
        moves = path(0, 1);
    }
    for (Digit& digit : digits_) digit.at = 0;
    std::vector<Loop> loops;
    for (const Move& move : moves) {
        Digit& digit = digits_[move.digit];
        const auto id = static_cast<DimensionId>(digit.dimension);
        const std::int64_t bound = digit.chain->products[move.to] / digit.product();
        digit.at = move.to;
        if (!loops.empty() && loops.back().dimension == id)
            loops.back().bound *= bound;  // as good as two loops: see prime_chain()
        else
            loops.push_back({id, bound});
    }
    std::reverse(loops.begin(), loops.end());
    return loops;
}

}  // namespace reference

// Goes through tiles and choices of kept data spaces; loop_order.cpp finds the order of each.
//
// What is left out cannot be better:
// - Of two mappings the one that needs no more words and moves no more words stands for both: the
//   frontier keeps the other only if it is better in one of the two. A larger buffer can hold
//   whatever a smaller one can, so the curve never rises.
// - Where a bound of a tile's traffic (LoopOrders::at_least) is not below the traffic of a known
//   mapping that needs no more words, no order of that tile gives a new point.
// - The loops inside the buffer do not matter to DRAM, nor does where in them a word is used: a
//   kept tile is brought in whole, a bypassed word at every operation.
// Tiles of few divisors are tried first, only so that the bounds find something to compare with.
// See bound.hpp.
#include "reference/bound.hpp"

#include "reference/checked.hpp"
#include "reference/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <utility>

namespace reference {

namespace {

constexpr std::size_t kMostBypassing = 10;  // data spaces: 2^10 choices a tile
constexpr std::size_t kMostDataSpaces = 32;
constexpr std::int64_t kTilesPerReport = 1024;
constexpr std::int64_t kSeedShare = 64;  // of the candidates one is tried first

using Tile = std::vector<std::int64_t>;

struct Found {
    std::int64_t traffic = 0;
    Tile tile;
    KeepMask kept = 0;
};

/// The mappings of which none is better than another in both words and traffic, by words.
class Frontier {
  public:
    /// The least traffic known within so many words, or kTooManyWords.
    [[nodiscard]] std::int64_t within(std::int64_t words) const {
        const auto after = points_.upper_bound(words);
        return after == points_.begin() ? kTooManyWords : std::prev(after)->second.traffic;
    }
    void add(std::int64_t words, Found found) {
        if (within(words) <= found.traffic) return;
        auto worse = points_.lower_bound(words);
        while (worse != points_.end() && worse->second.traffic >= found.traffic)
            worse = points_.erase(worse);
        points_.emplace(words, std::move(found));
    }
    [[nodiscard]] const std::map<std::int64_t, Found>& points() const { return points_; }

  private:
    std::map<std::int64_t, Found> points_;
};

using TileBounds = std::vector<std::vector<std::int64_t>>;  // to choose from, a list a dimension

class Search {
  public:
    Search(const Workload& workload, const BoundOptions& options)
        : workload_(workload), options_(options), orders_(workload, options.orders) {
        for (const Dimension& dimension : workload.dimensions)
            all_.push_back(divisors(dimension.size));
        const std::size_t count = workload.data_spaces.size();
        const auto every = static_cast<KeepMask>((std::uint64_t{1} << count) - 1);
        for (KeepMask kept = every;; --kept) {
            choices_.push_back(kept);
            if (!options.bypass || kept == 0) break;
        }
    }

    void run() {
        if (options_.prune) try_all(thinned(candidates() / kSeedShare));
        try_all(all_);
    }

    /// Not every tile: a few, evenly chosen, then the neighbours of the best ones.
    void run_heuristic() {
        proven_ = false;
        budget_ = options_.most_candidates;
        const TileBounds few = thinned(options_.most_candidates / 4);
        if (candidates_of(few) <= options_.most_candidates / 4) {
            try_all(few);
        } else {
            try_corner(&std::vector<std::int64_t>::front);
            try_corner(&std::vector<std::int64_t>::back);
        }
        refine();
    }

    /// A known overflow of a buffer smaller than any that has a point.
    [[nodiscard]] bool overflows() const {
        return frontier_.points().empty()
                   ? least_overflow_ != kTooManyWords
                   : !options_.buffer_words && least_overflow_ < frontier_.points().begin()->first;
    }
    [[nodiscard]] std::int64_t least_overflow() const { return least_overflow_; }
    [[nodiscard]] const Frontier& frontier() const { return frontier_; }
    [[nodiscard]] bool proven() const { return proven_; }
    [[nodiscard]] std::int64_t tried() const { return tried_; }
    [[nodiscard]] std::int64_t candidates() const { return candidates_of(all_); }
    LoopOrders& orders() { return orders_; }

  private:
    [[nodiscard]] std::int64_t candidates_of(const TileBounds& bounds) const;
    [[nodiscard]] TileBounds thinned(std::int64_t most) const;
    void try_all(const TileBounds& bounds);
    void try_corner(const std::int64_t& (std::vector<std::int64_t>::*end)() const);
    void try_tile(const Tile& tile);
    bool choose(const Tile& tile);
    void refine();
    void try_neighbours(const Tile& tile);

    const Workload& workload_;
    const BoundOptions& options_;
    LoopOrders orders_;
    TileBounds all_;
    std::vector<KeepMask> choices_;
    Frontier frontier_;
    std::int64_t least_overflow_ = kTooManyWords;  // words of a mapping whose traffic overflows
    std::int64_t tried_ = 0;
    std::int64_t budget_ = 0;  // candidates that a heuristic search may still look at
    bool proven_ = true;
    std::vector<KeepMask> left_;  // of try_tile(), kept for its memory
    std::vector<std::int64_t> words_, traffic_;
};

/// The sum over all tiles of the product over the dimensions is a product of sums.
std::int64_t Search::candidates_of(const TileBounds& bounds) const {
    Count candidates(static_cast<std::int64_t>(choices_.size()));
    for (std::size_t d = 0; d < bounds.size(); ++d) {
        Count states(0);
        for (const std::int64_t bound : bounds[d])
            states += Count(
                static_cast<std::int64_t>(orders_.states(d, workload_.dimensions[d].size / bound)));
        candidates *= states;
    }
    return candidates.too_large() ? kTooManyWords : candidates.value();
}

/// Fewer bounds of each dimension, with the first and the last and evenly between, until there are
/// not over `most` candidates or only the first and the last are left.
TileBounds Search::thinned(std::int64_t most) const {
    TileBounds bounds = all_;
    while (candidates_of(bounds) > most) {
        const auto longest =
            std::max_element(bounds.begin(), bounds.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
        const std::size_t before = longest->size();
        if (before <= 2) break;
        const std::size_t after = std::max<std::size_t>(2, before * 3 / 4);
        std::vector<std::int64_t> chosen;
        for (std::size_t i = 0; i < after; ++i)
            chosen.push_back((*longest)[i * (before - 1) / (after - 1)]);
        *longest = std::move(chosen);
    }
    return bounds;
}

/// The bounds of the first dimension change fastest.
void Search::try_all(const TileBounds& bounds) {
    std::int64_t all = 1, done = 0;
    std::vector<std::size_t> at(bounds.size(), 0);
    Tile tile;
    for (const auto& list : bounds) {
        tile.push_back(list.front());
        all *= static_cast<std::int64_t>(list.size());
    }
    for (std::size_t d = 0; d < bounds.size();) {
        if (done++ % kTilesPerReport == 0 && options_.progress) options_.progress(done - 1, all);
        try_tile(tile);
        for (d = 0; d < bounds.size(); ++d) {
            at[d] = at[d] + 1 == bounds[d].size() ? 0 : at[d] + 1;
            tile[d] = bounds[d][at[d]];
            if (at[d] != 0) break;
        }
    }
}

void Search::try_corner(const std::int64_t& (std::vector<std::int64_t>::*end)() const) {
    Tile tile;
    for (const auto& list : all_) tile.push_back((list.*end)());
    try_tile(tile);
}

/// The choices of kept data spaces that may improve on what is known, into left_ and words_.
bool Search::choose(const Tile& tile) {
    orders_.set_tile(tile);
    left_.clear();
    words_.clear();
    for (const KeepMask kept : choices_) {
        Count needed(0);
        for (std::size_t t = 0; t < workload_.data_spaces.size(); ++t)
            if (keeps(kept, t)) needed += Count(orders_.tile_words(t));
        if (needed.too_large()) continue;  // larger than any buffer
        if (options_.buffer_words && needed.value() > *options_.buffer_words) continue;
        const std::int64_t least = options_.prune ? orders_.at_least(kept) : 0;
        if (least == kTooManyWords)
            least_overflow_ = std::min(least_overflow_, needed.value());
        else if (frontier_.within(needed.value()) > least) {
            left_.push_back(kept);
            words_.push_back(needed.value());
        }
    }
    return !left_.empty();
}

void Search::try_tile(const Tile& tile) {
    if (!choose(tile)) return;
    ++tried_;
    if (orders_.greedy()) proven_ = false;
    const std::size_t states = std::min(orders_.states(), options_.orders.most_states);
    budget_ -= static_cast<std::int64_t>(states * left_.size());
    traffic_.resize(left_.size());
    orders_.least(left_, traffic_);
    for (std::size_t i = 0; i < left_.size(); ++i) {
        if (traffic_[i] == kTooManyWords)
            least_overflow_ = std::min(least_overflow_, words_[i]);
        else
            frontier_.add(words_[i], {traffic_[i], tile, left_[i]});
    }
}

/// Until every point of the frontier has been looked at, or the budget is spent.
void Search::refine() {
    std::set<Tile> seen;
    for (bool found = true; found && budget_ > 0;) {
        found = false;
        std::vector<Tile> tiles;
        for (const auto& [words, point] : frontier_.points())
            if (seen.insert(point.tile).second) tiles.push_back(point.tile);
        for (std::size_t i = 0; i < tiles.size() && budget_ > 0; ++i) {
            if (options_.progress)
                options_.progress(options_.most_candidates - budget_, options_.most_candidates);
            try_neighbours(tiles[i]);
            found = true;
        }
    }
}

/// One dimension one divisor up or down, or one up and another down.
void Search::try_neighbours(const Tile& tile) {
    const auto moved = [&](Tile& out, std::size_t d, std::ptrdiff_t by) {
        const auto& list = all_[d];
        const auto at = std::lower_bound(list.begin(), list.end(), tile[d]) - list.begin() + by;
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(list.size())) return false;
        out[d] = list[static_cast<std::size_t>(at)];
        return true;
    };
    for (std::size_t up = 0; up < tile.size(); ++up) {
        Tile next = tile;
        if (moved(next, up, -1)) try_tile(next);
        next = tile;
        if (!moved(next, up, 1)) continue;
        try_tile(next);
        for (std::size_t down = 0; down < tile.size(); ++down) {
            Tile both = next;
            if (down != up && moved(both, down, -1)) try_tile(both);
        }
    }
}

Case case_of(const Workload& workload, const Tile& tile, KeepMask kept, std::vector<Loop> order) {
    Case made{workload, {}, {}};
    made.architecture.levels = {{.name = "DRAM"}, {.name = "Buffer"}};
    MappingLevel dram, buffer;
    dram.temporal = std::move(order);
    dram.keep.assign(workload.data_spaces.size(), true);
    for (std::size_t d = 0; d < tile.size(); ++d)
        if (tile[d] != 1) buffer.temporal.push_back({static_cast<DimensionId>(d), tile[d]});
    for (std::size_t t = 0; t < workload.data_spaces.size(); ++t)
        buffer.keep.push_back(keeps(kept, t));
    made.mapping.levels = {std::move(dram), std::move(buffer)};
    return made;
}

Result<void> check(const Workload& workload, const BoundOptions& options) {
    Tile nothing(workload.dimensions.size(), 1);
    std::vector<Loop> all;
    for (std::size_t d = 0; d < workload.dimensions.size(); ++d)
        all.push_back({static_cast<DimensionId>(d), workload.dimensions[d].size});
    const Case any = case_of(workload, nothing, 0, std::move(all));
    if (auto ok = check_case(any.workload, any.architecture, any.mapping); !ok) return ok;
    const std::size_t most = options.bypass ? kMostBypassing : kMostDataSpaces;
    if (workload.data_spaces.size() <= most) return {};
    return tl::unexpected(Error{
        Error::Code::inconsistent,
        fmt::format("{} data spaces; the bound takes at most {}{}", workload.data_spaces.size(),
                    most, options.bypass ? ", or more if all of them are kept" : "")});
}

/// What evaluate() says of a mapping.
Result<std::int64_t> judged(const Case& made) {
    const auto counted = evaluate(made.workload, made.architecture, made.mapping);
    if (!counted) return tl::unexpected(counted.error());
    Count words(0);
    for (const auto& movement : counted->levels[0].movements)
        words += Count(movement->reads) + Count(movement->updates);
    return words.too_large() ? kTooManyWords : words.value();
}

}  // namespace

Result<Bound> bound(const Workload& workload, const BoundOptions& options) {
    if (auto ok = check(workload, options); !ok) return tl::unexpected(std::move(ok).error());
    Search search(workload, options);
    if (search.candidates() <= options.most_candidates)
        search.run();
    else
        search.run_heuristic();
    if (search.overflows())
        return tl::unexpected(
            Error{Error::Code::overflow,
                  fmt::format("the least traffic of a buffer of {} words exceeds 2^63-1 words",
                              search.least_overflow())});
    if (search.frontier().points().empty())
        return tl::unexpected(Error{Error::Code::does_not_fit,
                                    fmt::format("no mapping fits into {} words",
                                                options.buffer_words.value_or(kTooManyWords))});
    Bound result{.proven = search.proven(),
                 .candidates = search.candidates(),
                 .tiles_tried = search.tried(),
                 .compulsory = search.orders().compulsory()};
    for (const auto& [words, found] : search.frontier().points()) {
        const bool last = words == search.frontier().points().rbegin()->first;
        if (options.buffer_words && !last) continue;  // the largest that fits moves the least
        search.orders().set_tile(found.tile);
        Case best = case_of(workload, found.tile, found.kept, search.orders().order(found.kept));
        best.architecture.levels[1].capacity_words = words;
        const auto confirmed = judged(best);
        if (!confirmed) return tl::unexpected(confirmed.error());
        assert(*confirmed == found.traffic);
        result.points.push_back({words, found.traffic, std::move(best)});
    }
    return result;
}

}  // namespace reference

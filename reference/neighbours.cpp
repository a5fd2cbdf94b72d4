// Who takes words from whom in an array. Along a line of positions the vector to the next one
// depends only on which loop carries, so whole classes of positions are told at once; only odd
// cases (rows that are not full, a vector met in the middle of a carry) are compared one by one.
// Does not allocate otherwise. See neighbours.hpp.
#include "reference/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

namespace reference {

namespace {

constexpr std::int64_t kMaxCompared = std::int64_t{1} << 20U;

/// Which positions of a line have a neighbour on the line that stands `moved` further.
struct Linked {
    enum class Which : std::uint8_t {
        none,
        all,
        but_ends,  // all but those where the innermost `fixed` loops stand at one end
        odd        // to be compared one by one
    };
    Which which = Which::none;
    std::size_t fixed = 0;
};

/// `loops` innermost first.
Linked linked_on_line(const Motion& motion, std::span<const std::size_t> loops,
                      const Shift& moved) {
    const std::size_t ranks = motion.ranks();
    Shift fallback;
    std::fill_n(fallback.begin(), ranks, 0);
    std::uint64_t forward = 0;   // carries that lead to the one `moved` further
    std::uint64_t backward = 0;  // carries that come from it
    for (std::size_t k = 0; k < loops.size(); ++k) {
        const Shift& step = motion.step(loops[k]);
        bool ahead = true;
        bool behind = true;
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::int64_t to_next = step[r] - fallback[r];
            ahead = ahead && to_next == moved[r];
            behind = behind && to_next == -moved[r];
            fallback[r] += step[r] * (motion.loops()[loops[k]].bound - 1);
        }
        forward |= std::uint64_t{ahead} << k;
        backward |= std::uint64_t{behind} << k;
    }
    const std::uint64_t either = forward | backward;
    if (either == 0) return {};
    if ((forward & backward & 1U) != 0) return {Linked::Which::all};
    const bool one_way = forward == 0 || backward == 0;
    if (!one_way || (either & (either + 1)) != 0) return {Linked::Which::odd};
    return {Linked::Which::but_ends, static_cast<std::size_t>(std::popcount(either))};
}

}  // namespace

Neighbours::Neighbours(const Motion& motion, std::size_t parent, std::int64_t columns)
    : motion_(motion) {
    const auto loops = motion.loops();
    for (const bool along_y : {false, true}) {
        for (std::size_t i = loops.size(); i-- > 0;) {
            if (loops[i].level != parent || !loops[i].spatial || loops[i].along_y != along_y)
                continue;
            loops_[count_++] = i;
            children_ *= loops[i].bound;
            if (!along_y) row_ *= loops[i].bound;
        }
        if (!along_y) in_row_ = count_;
    }
    width_ = std::max(columns, row_);
    if (children_ <= width_) {  // one row, whatever the mapping calls its loops
        in_row_ = count_;
        row_ = children_;
    }
}

std::optional<Sharing> Neighbours::linked(const Shift& moved) const {
    if (row_ != width_ && row_ != children_)
        return within_reach(moved) ? compared(moved) : Sharing{};
    const std::span all(loops_.data(), count_);
    const Linked row = linked_on_line(motion_, all.first(in_row_), moved);
    const Linked column = linked_on_line(motion_, all.subspan(in_row_), moved);
    using Which = Linked::Which;
    if (row.which == Which::odd || column.which == Which::odd) return compared(moved);
    if (row.which == Which::all || column.which == Which::all) return Sharing{0, children_};
    if (row.which == Which::none && column.which == Which::none) return Sharing{};
    std::uint64_t fixed = 0;
    std::int64_t left = children_;  // neither linked along the row nor along the column
    for (std::size_t k = 0; k < count_; ++k) {
        const bool here = k < in_row_ ? k < row.fixed : k - in_row_ < column.fixed;
        if (!here) continue;
        fixed |= std::uint64_t{1} << k;
        left /= motion_.loops()[loops_[k]].bound;
    }
    const auto distinct = distinct_without(fixed);
    if (!distinct) return std::nullopt;
    return Sharing{*distinct, children_ - left};
}

std::optional<std::int64_t> Neighbours::distinct_without(std::uint64_t fixed) const {
    std::array<SpatialStep, kMaxLoops> spatial;
    std::size_t count = 0;
    for (std::size_t k = 0; k < count_; ++k) {
        if ((fixed >> k & 1U) != 0 || !motion_.moves(loops_[k])) continue;
        spatial[count] = {Shift{}, motion_.loops()[loops_[k]].bound};
        std::copy_n(motion_.step(loops_[k]).begin(), motion_.ranks(), spatial[count].step.begin());
        ++count;
    }
    return distinct_shifts({spatial.data(), count});
}

bool Neighbours::within_reach(const Shift& moved) const {
    for (std::size_t r = 0; r < motion_.ranks(); ++r) {
        std::int64_t reach = 0;
        for (std::size_t k = 0; k < count_; ++k)
            reach += motion_.step(loops_[k])[r] * (motion_.loops()[loops_[k]].bound - 1);
        if (std::abs(moved[r]) > reach) return false;
    }
    return true;
}

std::optional<Sharing> Neighbours::compared(const Shift& moved) const {
    if (children_ > kMaxCompared) return std::nullopt;
    const std::size_t ranks = motion_.ranks();
    const auto children = static_cast<std::size_t>(children_);
    std::vector<std::int64_t> places(children * ranks, 0);  // corners, child by child
    for (std::size_t child = 0; child < children; ++child) {
        auto rest = static_cast<std::int64_t>(child);
        for (std::size_t k = 0; k < count_; ++k) {
            const std::int64_t bound = motion_.loops()[loops_[k]].bound;
            for (std::size_t r = 0; r < ranks; ++r)
                places[child * ranks + r] += motion_.step(loops_[k])[r] * (rest % bound);
            rest /= bound;
        }
    }
    const auto place = [&](std::size_t child) {
        return std::span(places).subspan(child * ranks, ranks);
    };
    const auto stands_further = [&](std::size_t other, std::size_t child) {
        if (other >= children) return false;
        for (std::size_t r = 0; r < ranks; ++r)
            if (place(other)[r] != place(child)[r] + moved[r]) return false;
        return true;
    };
    std::vector<std::size_t> served;
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t child = 0; child < children; ++child) {
        const std::size_t column = child % width;
        const bool linked = (column > 0 && stands_further(child - 1, child)) ||
                            (column + 1 < width && stands_further(child + 1, child)) ||
                            (child >= width && stands_further(child - width, child)) ||
                            stands_further(child + width, child);
        if (!linked) served.push_back(child);
    }
    const auto linked = children_ - static_cast<std::int64_t>(served.size());
    const auto before = [&](std::size_t a, std::size_t b) {
        return std::lexicographical_compare(place(a).begin(), place(a).end(), place(b).begin(),
                                            place(b).end());
    };
    std::sort(served.begin(), served.end(), before);
    std::int64_t distinct = served.empty() ? 0 : 1;
    for (std::size_t i = 1; i < served.size(); ++i) distinct += before(served[i - 1], served[i]);
    return Sharing{distinct, linked};
}

}  // namespace reference

// Set difference of two boxes.
// Does not know why it is asked.
// See walk_box.hpp.
#include "reference/walk_box.hpp"

#include <algorithm>
#include <cstddef>

namespace reference::walk {

std::int64_t words_of(const Box& box) {
    std::int64_t words = 1;
    for (const Interval& rank : box) words *= rank.end - rank.first;
    return words;
}

WordSet all_of(const Box& box) {
    return {words_of(box), box, {}};
}

WordSet difference(const Box& box, const Box& other) {
    Box common(box.size());
    std::size_t cut_ranks = 0;  // in which `common` is less than `box`
    std::size_t cut = 0;        // the last of them
    for (std::size_t r = 0; r < box.size(); ++r) {
        common[r] = {std::max(box[r].first, other[r].first), std::min(box[r].end, other[r].end)};
        if (common[r].first >= common[r].end) return all_of(box);
        if (common[r] == box[r]) continue;
        ++cut_ranks;
        cut = r;
    }
    if (cut_ranks == 0) return {};
    const bool at_begin = common[cut].first == box[cut].first;
    const bool at_end = common[cut].end == box[cut].end;
    if (cut_ranks > 1 || (!at_begin && !at_end))
        return {words_of(box) - words_of(common), box, std::move(common)};
    Box rest = box;  // a slice from one side: what is left is a box
    rest[cut] = at_begin ? Interval{common[cut].end, box[cut].end}
                         : Interval{box[cut].first, common[cut].first};
    return all_of(rest);
}

}  // namespace reference::walk

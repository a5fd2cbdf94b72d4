// Boxes of words, and what is left of a box when another is taken away from it.
// Does not know of levels, loops or time.
// Used by the walk of simulate.cpp only.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace reference::walk {

/// Coordinates of one rank, from `first` to before `end`.
struct Interval {
    std::int64_t first = 0;
    std::int64_t end = 0;
    bool operator==(const Interval&) const = default;
    auto operator<=>(const Interval&) const = default;
};

/// One interval per rank, none of them empty. Without ranks: the one word of a scalar.
using Box = std::vector<Interval>;

/// At most 2^63-1, as check_case() makes sure for the whole tensor.
std::int64_t words_of(const Box& box);

/// A box without another box that lies inside it: all that can have to be delivered. `hull` is the
/// smallest box around the words, so two sets are equal where their members are.
struct WordSet {
    std::int64_t words = 0;  // 0: the empty set; then both boxes are empty lists
    Box hull;
    Box hole;  // empty list: no hole
    bool operator==(const WordSet&) const = default;
    auto operator<=>(const WordSet&) const = default;
};

WordSet all_of(const Box& box);

/// The words of `box` that are not in `other`, exactly, also where they lie along several edges.
WordSet difference(const Box& box, const Box& other);

}  // namespace reference::walk

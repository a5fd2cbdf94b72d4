// What a child receives whenever a loop outside it advances: the heart of the closed form.
// Whenever loop j advances, the loops inside it fall back from their last index to 0, so the box
// moves by one fixed vector, however often that happens. Does not know of siblings.
// Used by boundary.cpp and by the explanation.
#pragma once

#include "reference/nest.hpp"
#include "reference/semantics.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace reference {

enum class Delivered : std::uint8_t {
    nothing,   // the box stands still
    new_part,  // what the box has not in common with the one just before
    whole      // all of it, although some may be in common
};

struct Advance {
    std::size_t loop;    // in Motion::loops()
    std::int64_t times;  // in the whole run
    Shift moved;         // of the corner, the first ranks() entries
    Delivered kind;
    std::int64_t words;  // each time, to one child
};

/// Words of a box of `extents` that are not in the same box moved back by `moved`.
inline std::int64_t new_words(const Motion::Box& box, const Shift& moved, std::size_t ranks) {
    std::int64_t common = 1;
    for (std::size_t r = 0; r < ranks; ++r)
        common *= std::max<std::int64_t>(0, box.extents[r] - std::abs(moved[r]));
    return box.words - common;
}

/// Calls visit(Advance) for each temporal loop outside `child`, innermost first.
///
/// The dialects of Timeloop remember one step. Before any loop but the innermost advances, the
/// innermost that moved at all has just moved, so its vector is the one remembered, if one is: a
/// box that moves by the same vector goes on under the same rule, any other is delivered whole and
/// leaves nothing remembered, after which the innermost begins anew. `timeloop` passes over loops
/// that do not move the box; for `timeloop_2024` they move it by zero.
template <class Visit>
void for_each_advance(const Motion& motion, std::size_t child, const Semantics& semantics,
                      const Motion::Box& box, Visit visit) {
    const auto loops = motion.loops();
    const std::size_t ranks = motion.ranks();
    Shift fallback;  // of the loops inside loop i, from their last index to 0
    std::fill_n(fallback.begin(), ranks, 0);
    Shift remembered;
    bool remembers = false;
    Advance advance;
    for (std::size_t i = loops.size(); i-- > 0;) {
        const NestLoop& loop = loops[i];
        if (loop.level >= child || loop.spatial) continue;
        const std::int64_t played = semantics.extrapolation ? 1 : loop.bound - 1;
        bool stands = true;
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::int64_t step = motion.step(i)[r];
            advance.moved[r] = step - fallback[r];
            fallback[r] += step * played;
            stands = stands && advance.moved[r] == 0;
        }
        advance.kind = stands ? Delivered::nothing : Delivered::new_part;
        const bool counts_as_step = semantics.dialect == Dialect::timeloop_2024 || !stands;
        if (semantics.dialect != Dialect::exact && counts_as_step) {
            if (!remembers) {
                std::copy_n(advance.moved.begin(), ranks, remembered.begin());
                remembers = true;
            } else if (!std::equal(remembered.begin(), remembered.begin() + ranks,
                                   advance.moved.begin())) {
                advance.kind = Delivered::whole;
            }
        }
        advance.loop = i;
        advance.times = loop.rounds * (loop.bound - 1);
        advance.words = advance.kind == Delivered::nothing ? 0
                        : advance.kind == Delivered::whole ? box.words
                                                           : new_words(box, advance.moved, ranks);
        visit(static_cast<const Advance&>(advance));
    }
}

}  // namespace reference

// Closed form of one boundary: a sum over the advances of the loops outside the child.
// Does not walk iterations.
// See boundary.hpp.
#include "reference/boundary.hpp"

#include "reference/advance.hpp"
#include "reference/neighbours.hpp"

#include <algorithm>
#include <array>

namespace reference {

namespace {

/// The words of one visit, as a set: the whole box, a slab of it (after a move along one rank), or
/// the box without a corner box (after a move along several). Two visits deliver the same set, but
/// for where it stands, if their shapes are equal.
struct DeliveredSet {
    enum class Shape : std::uint8_t { nothing, box, slab, cut };
    Shape shape = Shape::nothing;
    std::size_t rank = 0;          // of a slab: across which it is thin
    std::int64_t thickness = 0;    // there
    std::int64_t begins = 0;       // there, from the corner of the child's box
    const Shift* moved = nullptr;  // of a cut one
};

DeliveredSet set_of(const Advance& advance, const Motion::Box& box, std::size_t ranks) {
    using Shape = DeliveredSet::Shape;
    if (advance.words == 0) return {};
    if (advance.words == box.words) return {Shape::box};
    DeliveredSet slab{Shape::slab};
    for (std::size_t r = 0; r < ranks; ++r) {
        const std::int64_t moved = advance.moved[r];
        if (moved == 0) continue;
        if (slab.thickness != 0) return {Shape::cut, 0, 0, 0, &advance.moved};
        slab.rank = r;
        slab.thickness = std::abs(moved);
        slab.begins = moved > 0 ? box.extents[r] - moved : 0;
    }
    return slab;
}

bool same_shape(const DeliveredSet& a, const DeliveredSet& b, std::size_t ranks) {
    if (a.shape != b.shape || a.shape == DeliveredSet::Shape::nothing) return false;
    if (a.shape == DeliveredSet::Shape::cut)
        return std::equal(a.moved->begin(), a.moved->begin() + ranks, b.moved->begin());
    return a.rank == b.rank && a.thickness == b.thickness;
}

/// Sums up the visits of a child whose siblings may help out.
class Linking {
  public:
    Linking(const Motion& motion, const Motion::Box& box, const Neighbours& neighbours,
            Passed& passed)
        : motion_(motion), box_(box), neighbours_(neighbours), passed_(passed) {}

    /// The visit after `advance`, so many times after a visit that delivered `before`.
    bool add(const Advance& advance, const DeliveredSet& before, std::int64_t times) {
        if (times == 0 || advance.words == 0) return true;
        const std::size_t ranks = motion_.ranks();
        const DeliveredSet now = set_of(advance, box_, ranks);
        Sharing sharing{passed_.distinct, 0};
        if (same_shape(now, before, ranks)) {
            Shift moved;
            std::copy_n(advance.moved.begin(), ranks, moved.begin());
            if (now.shape == DeliveredSet::Shape::slab)
                moved[now.rank] += now.begins - before.begins;
            const auto found = linked(moved);
            if (!found) return false;
            if (found->linked > 0 && found->distinct < passed_.distinct) sharing = *found;
        }
        add(Count(times) * Count(advance.words), sharing);
        return true;
    }
    void add(Count words, const Sharing& sharing) {
        passed_.accesses += words * Count(sharing.distinct);
        passed_.served += words * Count(passed_.children - sharing.linked);
        passed_.links += words * Count(sharing.linked);
    }

  private:
    /// Most advances of a nest ask for one of very few vectors.
    std::optional<Sharing> linked(const Shift& moved) {
        for (std::size_t i = 0; i < known_; ++i)
            if (std::equal(moved.begin(), moved.begin() + motion_.ranks(), moved_[i].begin()))
                return sharing_[i];
        const auto found = neighbours_.linked(moved);
        if (!found || known_ == moved_.size()) return found;
        std::copy_n(moved.begin(), motion_.ranks(), moved_[known_].begin());
        sharing_[known_++] = *found;
        return found;
    }

    const Motion& motion_;
    const Motion::Box& box_;
    const Neighbours& neighbours_;
    Passed& passed_;
    std::array<Shift, 4> moved_;  // the first known_ are answered in sharing_
    std::array<Sharing, 4> sharing_;
    std::size_t known_ = 0;
};

/// Visits in the order of time: one after the first, then one after each advance. Between two
/// advances of an outer loop the innermost one runs; so each outer one follows the innermost, and
/// the innermost follows itself or, once in each of its runs, an outer one.
bool pass_linked(const Motion& motion, std::span<const Advance> advances, const Motion::Box& box,
                 const Neighbours& neighbours, bool extrapolation, Passed& passed) {
    Linking linking(motion, box, neighbours, passed);
    linking.add(Count(box.words), Sharing{passed.distinct, 0});  // the first visit
    if (advances.empty()) return true;
    const std::size_t ranks = motion.ranks();
    const Advance& inner = advances.front();
    const std::int64_t runs_of = motion.loops()[inner.loop].bound - 1;
    const std::int64_t first_of_run = extrapolation ? runs_of : 1;  // times it follows an outer one
    // After the first visit, which delivered the whole box.
    bool ok = linking.add(inner, {DeliveredSet::Shape::box}, first_of_run);
    std::int64_t after_itself = inner.times - first_of_run;
    const DeliveredSet after_inner = set_of(inner, box, ranks);
    for (const Advance& outer : advances.subspan(1)) {
        ok = ok && linking.add(outer, after_inner, outer.times);
        ok = ok && linking.add(inner, set_of(outer, box, ranks), outer.times * first_of_run);
        after_itself -= outer.times * first_of_run;
    }
    return ok && linking.add(inner, after_inner, after_itself);
}

}  // namespace

std::optional<Passed> pass(const Motion& motion, const Boundary& boundary, const Motion::Box& box,
                           const Semantics& semantics) {
    Passed passed;
    const std::size_t child = boundary.child;
    for (const NestLoop& loop : motion.loops())
        if (loop.level + 1 == child && loop.spatial) passed.children *= loop.bound;
    if (passed.children > 1) {
        const auto distinct = motion.distinct_children(child - 1);
        if (!distinct) return std::nullopt;
        passed.distinct = *distinct;
    }
    const bool linking = semantics.links && passed.children > 1;
    std::array<Advance, kMaxLoops> advances;
    std::size_t count = 0;
    passed.arrivals = Count(box.words);
    if (!boundary.child_is_units || linking) {
        for_each_advance(motion, child, semantics, box, [&](const Advance& advance) {
            passed.arrivals += Count(advance.times) * Count(advance.words);
            if (linking) advances[count++] = advance;
        });
    }
    if (boundary.child_is_units) {
        passed.arrivals = Count(motion.steps_outside(child));
        for (std::size_t i = 0; i < count; ++i) {
            advances[i].kind = Delivered::whole;
            advances[i].words = box.words;
        }
    }
    if (!linking) {
        passed.accesses = passed.arrivals * Count(passed.distinct);
        passed.served = passed.arrivals * Count(passed.children);
        return passed;
    }
    const Neighbours neighbours(motion, child - 1, boundary.columns);
    if (!pass_linked(motion, {advances.data(), count}, box, neighbours, semantics.extrapolation,
                     passed))
        return std::nullopt;
    passed.uniform = !passed.links.too_large() && passed.links.value() == 0;
    return passed;
}

}  // namespace reference

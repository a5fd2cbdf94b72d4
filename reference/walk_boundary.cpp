// The definition of what passes a boundary: at each visit each child needs some words, and children
// that need the same words share the accesses of their parent.
// Does not take shortcuts beyond those that are part of a dialect. See walk_boundary.hpp.
#include "reference/walk_boundary.hpp"

#include "reference/tiles.hpp"
#include "reference/walk_links.hpp"
#include "reference/walk_memory.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <span>

namespace reference::walk {

namespace {

struct Child {
    Memory memory;
    WordSet needed;            // at this visit
    WordSet before;            // at the visit just before
    std::vector<Box> through;  // the tiles of the bypassed levels between, outermost first
    std::set<Box> worked_on;   // tiles of the output; two of them are equal or disjoint
};

struct Accesses {
    Count words;      // at the parent
    Count delivered;  // to children
};

/// Children whose words are the same, and the tiles at every bypassed level between as well, share
/// one access: multicast or, for an output, a sum that is formed on the way.
Accesses shared(const std::vector<const Child*>& asking) {
    const auto less = [](const Child* a, const Child* b) {
        return a->needed != b->needed ? a->needed < b->needed : a->through < b->through;
    };
    std::set<const Child*, decltype(less)> distinct(less);
    Accesses accesses;
    for (const Child* child : asking) {
        accesses.delivered += Count(child->needed.words);
        if (distinct.insert(child).second) accesses.words += Count(child->needed.words);
    }
    return accesses;
}

std::vector<const Child*> asking(std::span<const Child> children) {
    std::vector<const Child*> found;
    for (const Child& child : children)
        if (child.needed.words > 0) found.push_back(&child);
    return found;
}

/// Those for whom no neighbour had, at the visit before, exactly the words they need now.
std::vector<const Child*> not_served(std::span<const Child> children, std::int64_t width) {
    std::vector<const Child*> found;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (children[i].needed.words == 0) continue;
        const auto near = neighbours(i, children.size(), width);
        const bool served = std::any_of(near.begin(), near.end(), [&](std::size_t n) {
            return children[n].before == children[i].needed;
        });
        if (!served) found.push_back(&children[i]);
    }
    return found;
}

class BoundaryWalk {
  public:
    BoundaryWalk(const Walk& walk, const DataSpace& data_space, const Boundary& boundary)
        : walk_(walk),
          data_space_(data_space),
          boundary_(boundary),
          time_(loops_of(walk.mapping, &MappingLevel::temporal, 0, boundary.child)),
          inside_(loops_of(walk.mapping, &MappingLevel::spatial, boundary.parent, boundary.child)),
          width_(row_width(walk, boundary.parent)) {
        // All parents are taken to do what the first does, unless some have less to do.
        if (walk.remainders)
            outside_ = loops_of(walk.mapping, &MappingLevel::spatial, 0, boundary.parent);
        if (walk.extrapolates()) extrapolate(time_);
        for (std::size_t level = boundary.parent + 1; level <= boundary.child; ++level)
            bounds_.push_back(inner_bounds(walk.workload, walk.mapping, level));
        fanout_ = static_cast<std::size_t>(combinations(inside_).value());
        const auto parents = static_cast<std::size_t>(combinations(outside_).value());
        children_.resize(parents * fanout_);
        parent_worked_on_.resize(parents);
    }

    Passed run() {
        do {
            if (has_work(walk_.workload, start_of(walk_.workload, boundary_.child, {&time_})))
                step();
        } while (advance(time_));
        passed_.parents = walk_.remainders ? used_instances(walk_, boundary_.parent) : 1;
        passed_.children = walk_.remainders ? used_instances(walk_, boundary_.child)
                                            : static_cast<std::int64_t>(fanout_);
        return passed_;
    }

  private:
    /// One step in time, of all children of all parents.
    void step() {
        std::size_t parent = 0;
        do {
            std::size_t child = parent * fanout_;
            do {
                visit(children_[child], parent);
                ++child;
            } while (advance(inside_));
            serve({children_.data() + parent * fanout_, fanout_});
            ++parent;
        } while (advance(outside_));
    }

    /// The child whose loops stand at their index looks at its next tile. Without work it needs
    /// nothing and keeps what it has.
    void visit(Child& child, std::size_t parent) {
        child.before = std::exchange(child.needed, WordSet{});
        const auto start = start_at(boundary_.child);
        if (!has_work(walk_.workload, start)) return;
        const Box tile = box_of(data_space_, walk_.workload, start, bounds_.back());
        // A unit has no memory: it takes its operand at every step.
        child.needed = boundary_.child == walk_.mapping.levels.size()
                           ? all_of(tile)
                           : child.memory.visit(tile, walk_.semantics.dialect);
        if (child.needed.words == 0) return;
        child.through.clear();
        for (std::size_t level = boundary_.parent + 1; level < boundary_.child; ++level)
            child.through.push_back(box_of(data_space_, walk_.workload, start_at(level),
                                           bounds_[level - boundary_.parent - 1]));
        if (!data_space_.output) return;
        if (child.worked_on.insert(tile).second) passed_.child_own += Count(words_of(tile));
        if (parent_worked_on_[parent].insert(tile).second)
            passed_.parent_own += Count(words_of(tile));
    }

    /// The children of one parent get what they need at this step.
    void serve(std::span<const Child> children) {
        const auto all = asking(children);
        if (all.empty()) return;
        const Count times = weight(time_);
        for (const Child* child : all) passed_.received += times * Count(child->needed.words);
        Accesses accesses = shared(all);
        if (walk_.semantics.links) {
            const Accesses fewer = shared(not_served(children, width_));
            if (fewer.words.value() < accesses.words.value()) accesses = fewer;
        }
        passed_.accesses += times * accesses.words;
        passed_.delivered += times * accesses.delivered;
    }

    [[nodiscard]] std::vector<std::int64_t> start_at(std::size_t level) const {
        return start_of(walk_.workload, level, {&time_, &outside_, &inside_});
    }

    const Walk& walk_;
    const DataSpace& data_space_;
    const Boundary boundary_;
    Loops time_;
    Loops outside_;                                  // spatial: from parent to parent
    Loops inside_;                                   // spatial: from child to child of one parent
    std::vector<std::vector<std::int64_t>> bounds_;  // of the levels inside the parent
    std::int64_t width_;
    std::size_t fanout_ = 1;
    std::vector<Child> children_;
    std::vector<std::set<Box>> parent_worked_on_;
    Passed passed_;
};

}  // namespace

Count visits(const Walk& walk, const Boundary& boundary) {
    Loops time = loops_of(walk.mapping, &MappingLevel::temporal, 0, boundary.child);
    if (walk.extrapolates()) extrapolate(time);
    const std::size_t first = walk.remainders ? 0 : boundary.parent;
    return combinations(time) *
           combinations(loops_of(walk.mapping, &MappingLevel::spatial, first, boundary.child));
}

Passed walk_boundary(const Walk& walk, std::size_t data_space, const Boundary& boundary) {
    assert(!walk.semantics.links || boundary.child == boundary.parent + 1);
    return BoundaryWalk(walk, walk.workload.data_spaces[data_space], boundary).run();
}

}  // namespace reference::walk

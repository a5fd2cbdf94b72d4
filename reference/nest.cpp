// The nest and the motion of boxes through it.
// Does not count traffic.
// See nest.hpp.
#include "reference/nest.hpp"

#include <algorithm>
#include <cassert>

namespace reference {

Nest::Nest(const Mapping& mapping) {
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        const MappingLevel& here = mapping.levels[level];
        add(here.temporal, level, false, 0);
        add(here.spatial, level, true, here.spatial_y);
    }
    for (std::size_t i = 0; i < count_; ++i) {
        NestLoop& loop = loops_[i];
        loop.rounds = steps_;
        if (!loop.spatial) steps_ *= loop.bound;
        loop.stride = 1;
        for (std::size_t inner = i + 1; inner < count_; ++inner)
            if (loops_[inner].dimension == loop.dimension) loop.stride *= loops_[inner].bound;
    }
}

void Nest::add(const std::vector<Loop>& loops, std::size_t level, bool spatial,
               std::size_t along_y) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].bound == 1) continue;
        assert(count_ < kMaxLoops);
        loops_[count_++] = {level, loops[i].dimension, loops[i].bound, 1, 1, spatial, i < along_y};
    }
}

Motion::Motion(const DataSpace& data_space, std::span<const NestLoop> loops)
    : loops_(loops), ranks_(data_space.ranks.size()) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        moves_[i] = false;
        for (std::size_t r = 0; r < ranks_; ++r) {
            std::int64_t step = 0;
            for (const Term& term : data_space.ranks[r])
                if (term.dimension == loops[i].dimension)
                    step += term.coefficient * loops[i].stride;
            steps_[i][r] = step;
            moves_[i] = moves_[i] || step != 0;
        }
    }
}

Motion::Box Motion::operand() const {
    Box box;
    std::fill_n(box.extents.begin(), ranks_, 1);
    box.words = 1;
    return box;
}

void Motion::grow(Box& box, std::size_t i) const {
    if (!moves_[i]) return;
    box.words = 1;
    for (std::size_t r = 0; r < ranks_; ++r)
        box.words *= box.extents[r] += steps_[i][r] * (loops_[i].bound - 1);
}

Motion::Box Motion::box(std::size_t level) const {
    Box box = operand();
    for (std::size_t i = loops_.size(); i-- > 0 && loops_[i].level >= level;) grow(box, i);
    return box;
}

std::int64_t Motion::steps_outside(std::size_t level) const {
    std::int64_t steps = 1;
    for (const NestLoop& loop : loops_) {
        if (loop.level >= level) break;
        if (!loop.spatial) steps = loop.rounds * loop.bound;
    }
    return steps;
}

std::optional<std::int64_t> Motion::distinct_children(std::size_t parent) const {
    std::array<SpatialStep, kMaxLoops> spatial;
    std::size_t count = 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
        if (loops_[i].level != parent || !loops_[i].spatial || !moves_[i]) continue;
        spatial[count] = {Shift{}, loops_[i].bound};
        std::copy_n(steps_[i].begin(), ranks_, spatial[count].step.begin());
        ++count;
    }
    if (count == 0) return 1;
    if (count == 1) return spatial[0].bound;  // the common case, told without a call
    return distinct_shifts({spatial.data(), count});
}

}  // namespace reference

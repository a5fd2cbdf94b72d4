// Running loops, and the tiles they lead to.
// Does not count words.
// See walk_nest.hpp.
#include "reference/walk_nest.hpp"

#include "reference/tiles.hpp"

#include <algorithm>

namespace reference::walk {

Loops loops_of(const Mapping& mapping, std::vector<Loop> MappingLevel::*kind, std::size_t first,
               std::size_t last) {
    Loops loops;  // found from the innermost loop outwards
    std::vector<Loop> inside;
    const auto stride = [&](const Loop& loop) {
        std::int64_t product = 1;
        for (const Loop& inner : inside)
            if (inner.dimension == loop.dimension) product *= inner.bound;
        return product;
    };
    for (std::size_t level = mapping.levels.size(); level-- > first;) {
        for (const auto list : {&MappingLevel::spatial, &MappingLevel::temporal}) {
            const std::vector<Loop>& here = mapping.levels[level].*list;
            for (auto loop = here.rbegin(); loop != here.rend(); ++loop) {
                if (list == kind && level < last)
                    loops.push_back({level, loop->dimension, loop->bound, stride(*loop), 0});
                inside.push_back(*loop);
            }
        }
    }
    std::reverse(loops.begin(), loops.end());
    return loops;
}

bool advance(Loops& loops) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        if (++loop->index < loop->bound) return true;
        loop->index = 0;
    }
    return false;
}

void extrapolate(Loops& loops) {
    for (RunningLoop& loop : loops) {
        if (loop.bound <= 2) continue;
        loop.second_counts = loop.bound - 1;
        loop.bound = 2;
    }
}

Count weight(const Loops& loops) {
    Count product(1);
    for (const RunningLoop& loop : loops)
        if (loop.index == 1) product *= Count(loop.second_counts);
    return product;
}

Count combinations(const Loops& loops) {
    Count product(1);
    for (const RunningLoop& loop : loops) product *= Count(loop.bound);
    return product;
}

std::vector<std::int64_t> start_of(const Workload& workload, std::size_t level,
                                   const std::vector<const Loops*>& loops) {
    std::vector<std::int64_t> start(workload.dimensions.size(), 0);
    for (const Loops* list : loops)
        for (const RunningLoop& loop : *list)
            if (loop.level < level) start[index(loop.dimension)] += loop.index * loop.stride;
    return start;
}

bool has_work(const Workload& workload, const std::vector<std::int64_t>& start) {
    for (std::size_t d = 0; d < start.size(); ++d)
        if (start[d] >= workload.dimensions[d].size) return false;
    return true;
}

std::int64_t used_instances(const Walk& walk, std::size_t level) {
    Loops spatial = loops_of(walk.mapping, &MappingLevel::spatial, 0, level);
    if (!walk.remainders) return combinations(spatial).value();
    std::int64_t used = 0;
    do {
        used += has_work(walk.workload, start_of(walk.workload, level, {&spatial})) ? 1 : 0;
    } while (advance(spatial));
    return used;
}

Box box_of(const DataSpace& data_space, const Workload& workload,
           const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& bounds) {
    Box box(data_space.ranks.size());
    for (std::size_t r = 0; r < box.size(); ++r) {
        box[r].end = 1;
        for (const Term& term : data_space.ranks[r]) {
            const std::size_t d = index(term.dimension);
            const std::int64_t end = std::min(start[d] + bounds[d], workload.dimensions[d].size);
            box[r].first += term.coefficient * start[d];
            box[r].end += term.coefficient * (end - 1);
        }
    }
    return box;
}

}  // namespace reference::walk

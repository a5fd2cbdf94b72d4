// The steps from a case to smaller ones.
// Does not search for more than one step at a time.
// See shrink.hpp.
#include "tests/support/shrink.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tests {

namespace {

using reference::Case;
using reference::Loop;
using reference::MappingLevel;

/// Collects variants of a case.
class Steps {
  public:
    explicit Steps(const Case& from) : from_(from) {}

    template <class Change>
    void add(const Change& change) {
        Case next = from_;
        change(next);
        settle(next);
        if (next != from_ && check_case(next.workload, next.architecture, next.mapping))
            found_.push_back(std::move(next));
    }
    std::vector<Case> take() { return std::move(found_); }

  private:
    const Case& from_;
    std::vector<Case> found_;
};

template <class T>
void erase(std::vector<T>& list, std::size_t position) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(position));
}

void drop_levels(const Case& input, Steps& steps) {
    for (std::size_t level = 1; level < input.mapping.levels.size(); ++level)
        steps.add([&](Case& c) {
            erase(c.mapping.levels, level);
            erase(c.architecture.levels, level);
        });
}

void drop_tensors(const Case& input, Steps& steps) {
    for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d)
        steps.add([&](Case& c) {
            erase(c.workload.data_spaces, d);
            for (MappingLevel& level : c.mapping.levels) erase(level.keep, d);
        });
}

void drop_dimension(Case& c, std::size_t d) {
    const auto above = [&](reference::DimensionId& id) {
        if (index(id) > d) id = reference::DimensionId{index(id) - 1};
    };
    const auto is_it = [&](const auto& part) { return index(part.dimension) == d; };
    erase(c.workload.dimensions, d);
    for (auto& space : c.workload.data_spaces) {
        for (auto& rank : space.ranks) {
            std::erase_if(rank, is_it);
            for (auto& term : rank) above(term.dimension);
        }
        std::erase_if(space.ranks, [](const auto& rank) { return rank.empty(); });
    }
    for (MappingLevel& level : c.mapping.levels) {
        for (auto* loops : {&level.temporal, &level.spatial}) {
            std::erase_if(*loops, is_it);
            for (Loop& loop : *loops) above(loop.dimension);
        }
    }
}

void simplify_loops(const Case& input, Steps& steps) {
    for (std::size_t level = 0; level < input.mapping.levels.size(); ++level) {
        for (const auto kind : {&MappingLevel::temporal, &MappingLevel::spatial}) {
            const auto& loops = input.mapping.levels[level].*kind;
            for (std::size_t i = 0; i < loops.size(); ++i) {
                steps.add([&](Case& c) { erase(c.mapping.levels[level].*kind, i); });
                for (const std::int64_t bound : {std::int64_t{2}, loops[i].bound - 1})
                    if (bound >= 1 && bound < loops[i].bound)
                        steps.add([&](Case& c) {
                            (c.mapping.levels[level].*kind)[i] = {loops[i].dimension, bound};
                        });
            }
        }
        const auto& spatial = input.mapping.levels[level].spatial;
        for (std::size_t i = 0; i < spatial.size(); ++i)
            steps.add([&](Case& c) {
                c.mapping.levels[level].temporal.push_back(spatial[i]);
                erase(c.mapping.levels[level].spatial, i);
            });
    }
}

/// Pointers to all loops of more than one iteration.
std::vector<Loop*> running(Case& c) {
    std::vector<Loop*> loops;
    for (MappingLevel& level : c.mapping.levels)
        for (auto* list : {&level.temporal, &level.spatial})
            for (Loop& loop : *list)
                if (loop.bound > 1) loops.push_back(&loop);
    return loops;
}

/// Two loops that move one rank may only fail together: where they meet.
void lower_pairs(const Case& input, Steps& steps) {
    Case copy = input;
    const std::size_t loops = running(copy).size();
    for (std::size_t a = 0; a < loops; ++a)
        for (std::size_t b = a + 1; b < loops; ++b)
            steps.add([&](Case& c) {
                const auto both = running(c);
                --both[a]->bound;
                --both[b]->bound;
            });
}

void simplify_tensors(const Case& input, Steps& steps) {
    for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d) {
        const auto& ranks = input.workload.data_spaces[d].ranks;
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            steps.add([&](Case& c) { erase(c.workload.data_spaces[d].ranks, r); });
            for (std::size_t t = 0; t < ranks[r].size(); ++t) {
                if (ranks[r].size() > 1)
                    steps.add([&](Case& c) { erase(c.workload.data_spaces[d].ranks[r], t); });
                for (const std::int64_t less : {std::int64_t{1}, ranks[r][t].coefficient - 1})
                    if (less >= 1 && less < ranks[r][t].coefficient)
                        steps.add([&](Case& c) {
                            c.workload.data_spaces[d].ranks[r][t].coefficient = less;
                        });
            }
        }
    }
}

void simplify_levels(const Case& input, Steps& steps) {
    for (std::size_t level = 0; level < input.mapping.levels.size(); ++level) {
        const auto& keep = input.mapping.levels[level].keep;
        for (std::size_t d = 0; d < keep.size(); ++d)
            if (!keep[d]) steps.add([&](Case& c) { c.mapping.levels[level].keep[d] = true; });
        steps.add([&](Case& c) { c.mapping.levels[level].spatial_y = 0; });
        steps.add([&](Case& c) { c.architecture.levels[level].read_bandwidth.reset(); });
        steps.add([&](Case& c) { c.architecture.levels[level].write_bandwidth.reset(); });
        steps.add([&](Case& c) { c.architecture.levels[level].shared_bandwidth.reset(); });
        steps.add([&](Case& c) { c.architecture.levels[level].capacity_words.reset(); });
        steps.add([&](Case& c) { c.architecture.levels[level].mesh_x.reset(); });
        steps.add([&](Case& c) { c.architecture.levels[level].instances = 1; });
    }
    steps.add([](Case& c) { c.architecture.compute.reset(); });
}

}  // namespace

void settle(Case& input) {
    for (auto& dimension : input.workload.dimensions) dimension.size = 1;
    std::int64_t used = 1;
    const auto fit = [&](auto& hardware) {
        hardware.instances = std::max(hardware.instances, used);
        if (hardware.mesh_x && hardware.instances % *hardware.mesh_x != 0) hardware.mesh_x.reset();
    };
    for (std::size_t i = 0; i < input.mapping.levels.size(); ++i) {
        MappingLevel& level = input.mapping.levels[i];
        level.spatial_y = std::min(level.spatial_y, level.spatial.size());
        fit(input.architecture.levels[i]);
        for (const Loop& loop : level.spatial) used *= loop.bound;
        for (const auto* loops : {&level.temporal, &level.spatial})
            for (const Loop& loop : *loops)
                input.workload.dimensions[index(loop.dimension)].size *= loop.bound;
    }
    if (input.architecture.compute) fit(*input.architecture.compute);
}

std::vector<Case> smaller(const Case& input) {
    Steps steps(input);
    drop_levels(input, steps);
    drop_tensors(input, steps);
    for (std::size_t d = 0; d < input.workload.dimensions.size(); ++d)
        steps.add([&](Case& c) { drop_dimension(c, d); });
    simplify_loops(input, steps);
    simplify_tensors(input, steps);
    simplify_levels(input, steps);
    lower_pairs(input, steps);
    return steps.take();
}

Case shrink(Case input, const std::function<bool(const Case&)>& fails) {
    for (;;) {
        auto candidates = smaller(input);
        const auto next = std::find_if(candidates.begin(), candidates.end(), fails);
        if (next == candidates.end()) return input;
        input = std::move(*next);
    }
}

}  // namespace tests

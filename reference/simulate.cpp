// The definition of the counting, written as a walk: the files walk_* hold its parts, from boxes
// and the loops that place them to what passes a boundary, and from there to reads and fills.
// Does not share arithmetic with evaluate.cpp beyond tile bounds and cycles. Slow on purpose.
// See simulate.hpp.
#include "reference/simulate.hpp"

#include "reference/checked.hpp"
#include "reference/cycles.hpp"
#include "reference/rounds.hpp"
#include "reference/walk_counts.hpp"
#include "reference/walk_nest.hpp"

namespace reference {

namespace {

using walk::advance;
using walk::combinations;
using walk::has_work;
using walk::Loops;
using walk::loops_of;
using walk::start_of;
using walk::Walk;

/// Steps of the units. With remainders those in which any of them works; Timeloop takes every round
/// as a full one. The combinations are few enough to be walked.
std::int64_t compute_cycles(const Walk& walk) {
    const std::size_t units = walk.mapping.levels.size();
    Loops time = loops_of(walk.mapping, &MappingLevel::temporal, 0, units);
    if (!walk.remainders || walk.semantics.dialect != Dialect::exact)
        return combinations(time).value();
    std::int64_t steps = 0;
    do {
        steps += has_work(walk.workload, start_of(walk.workload, units, {&time})) ? 1 : 0;
    } while (advance(time));
    return steps;
}

/// With remainders everything is visited, all instances at all steps.
bool can_be_walked(const Walk& walk) {
    const std::size_t units = walk.mapping.levels.size();
    const Count all = combinations(loops_of(walk.mapping, &MappingLevel::temporal, 0, units)) *
                      combinations(loops_of(walk.mapping, &MappingLevel::spatial, 0, units));
    return !walk.remainders || (!all.too_large() && all.value() <= walk::kMaxVisits);
}

/// Units of which nothing is said are as many as are used; with remainders these are more than the
/// computes of a cycle in the mean.
Architecture with_units(const Walk& walk) {
    Architecture out = walk.architecture;
    if (!out.compute)
        out.compute = {"units", walk::used_instances(walk, walk.mapping.levels.size()), {}};
    return out;
}

std::int64_t iterations(const Workload& workload) {
    std::int64_t product = 1;
    for (const Dimension& dimension : workload.dimensions) product *= dimension.size;
    return product;
}

}  // namespace

Result<Traffic> simulate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics) {
    if (auto ok = check_case(workload, architecture, mapping); !ok)
        return tl::unexpected(std::move(ok).error());
    const Walk walk{workload, architecture, mapping, semantics, has_remainders(mapping)};
    if (walk.remainders && semantics.dialect != Dialect::exact)
        return count_rounds(workload, architecture, mapping, semantics);
    if (!can_be_walked(walk))
        return tl::unexpected(Error{Error::Code::overflow, "too many steps to walk"});
    Traffic traffic;
    traffic.computes = iterations(workload);
    std::vector<std::int64_t> instances;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        instances.push_back(walk::used_instances(walk, level));
        LevelTraffic& here = traffic.levels.emplace_back();
        here.name = architecture.levels[level].name;
        here.instances = instances.back();
    }
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d) {
        auto movements = count_data_space(walk, d, instances);
        if (!movements) return tl::unexpected(std::move(movements).error());
        for (std::size_t level = 0; level < mapping.levels.size(); ++level)
            traffic.levels[level].movements.push_back((*movements)[level]);
    }
    if (auto ok = count_cycles(with_units(walk), compute_cycles(walk), semantics.dialect, traffic);
        !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

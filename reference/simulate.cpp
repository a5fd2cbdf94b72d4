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

constexpr std::int64_t kMaxInstances = std::int64_t{1} << 20U;

/// Steps in which any unit works; with remainders they are few enough to be walked.
std::int64_t compute_cycles(const Walk& walk) {
    const std::size_t units = walk.mapping.levels.size();
    Loops time = loops_of(walk.mapping, &MappingLevel::temporal, 0, units);
    if (!walk.remainders) return combinations(time).value();
    std::int64_t steps = 0;
    do {
        steps += has_work(walk.workload, start_of(walk.workload, units, {&time})) ? 1 : 0;
    } while (advance(time));
    return steps;
}

/// Over all levels. With remainders each of them is remembered by itself.
Count instances_of(const Walk& walk) {
    return combinations(
        loops_of(walk.mapping, &MappingLevel::spatial, 0, walk.mapping.levels.size()));
}

/// With remainders everything is visited, all instances at all steps.
Count visits_of(const Walk& walk) {
    return instances_of(walk) * combinations(loops_of(walk.mapping, &MappingLevel::temporal, 0,
                                                      walk.mapping.levels.size()));
}

tl::unexpected<Error> overflow(const char* what) {
    return tl::unexpected(Error{Error::Code::overflow, what});
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
    if (walk.remainders) {
        if (instances_of(walk).value() > kMaxInstances)
            return overflow("remainders: over 2^20 instances to walk");
        if (semantics.dialect != Dialect::exact)
            return count_rounds(workload, architecture, mapping, semantics);
        if (visits_of(walk).value() > walk::kMaxVisits) return overflow("too many steps to walk");
    }
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

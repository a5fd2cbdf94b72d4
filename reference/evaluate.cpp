// From what passes each boundary to what each level reads, receives and updates.
// Does not walk iterations: boundary.cpp has the closed form. simulate.cpp is the oracle.
// See evaluate.hpp.
#include "reference/evaluate.hpp"

#include "reference/cycles.hpp"
#include "reference/flow.hpp"
#include "reference/nest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace reference {

namespace {

struct Inputs {
    const Workload& workload;
    const Architecture& architecture;
    const Mapping& mapping;
    const Semantics& semantics;
};

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

Result<void> evaluate_data_space(const Inputs& in, std::span<const NestLoop> loops, std::size_t d,
                                 std::vector<LevelFlow>& flows, Traffic& traffic) {
    const DataSpace& data_space = in.workload.data_spaces[d];
    const Motion motion(data_space, loops);
    if (!trace({in.architecture, in.mapping, in.semantics}, motion, d, flows))
        return overflow(data_space, "too many spatial instances to compare");
    for (std::size_t level = 0; level < flows.size(); ++level) {
        if (!in.mapping.levels[level].keep[d]) continue;
        LevelTraffic& here = traffic.levels[level];
        here.movements[d] = movement_of(flows, level, data_space.output, here.instances);
        if (!here.movements[d]) return overflow(data_space, "over 2^63-1 words");
    }
    return {};
}

}  // namespace

Result<Traffic> evaluate(const Workload& workload, const Architecture& architecture,
                         const Mapping& mapping, const Semantics& semantics) {
    if (auto ok = check_case(workload, architecture, mapping); !ok)
        return tl::unexpected(std::move(ok).error());
    if (has_remainders(mapping))
        return tl::unexpected(Error{Error::Code::inconsistent,
                                    "a loop is shorter in its last round: only the walk counts "
                                    "remainders"});
    const Inputs in{workload, architecture, mapping, semantics};
    const Nest nest(mapping);
    Traffic traffic;
    traffic.levels.resize(mapping.levels.size());
    traffic.computes = 1;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        LevelTraffic& here = traffic.levels[level];
        here.name = architecture.levels[level].name;
        here.movements.resize(workload.data_spaces.size());
    }
    for (const NestLoop& loop : nest.loops()) {
        traffic.computes *= loop.bound;
        for (std::size_t inner = loop.level + 1; loop.spatial && inner < mapping.levels.size();
             ++inner)
            traffic.levels[inner].instances *= loop.bound;
    }
    std::vector<LevelFlow> flows(mapping.levels.size());
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d)
        if (auto ok = evaluate_data_space(in, nest.loops(), d, flows, traffic); !ok)
            return tl::unexpected(std::move(ok).error());
    if (auto ok = count_cycles(architecture, nest.steps(), semantics.dialect, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

// From what passes each boundary to what each level reads, receives and updates.
// Does not walk iterations: boundary.cpp has the closed form. simulate.cpp is the oracle.
// See evaluate.hpp.
#include "reference/evaluate.hpp"

#include "reference/boundary.hpp"
#include "reference/checked.hpp"
#include "reference/cycles.hpp"
#include "reference/fraction.hpp"
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

/// One level, for one data space.
struct Step {
    std::int64_t tile_words = 0;
    std::int64_t partition_words = 0;
    Passed inwards;     // to the next level or the units
    Fraction accesses;  // of this level by whatever is inside it, bypassed levels passed through
};

tl::unexpected<Error> overflow(const DataSpace& data_space, std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::overflow, fmt::format("data space '{}': {}", data_space.name, what)});
}

/// Columns of the array of `child` under one instance of the level outside it.
std::int64_t columns_of(const Architecture& architecture, std::size_t child) {
    const auto columns = [&](std::size_t level) {
        if (level < architecture.levels.size()) {
            const StorageLevel& storage = architecture.levels[level];
            return storage.mesh_x.value_or(storage.instances);
        }
        if (!architecture.compute) return std::int64_t{1};
        return architecture.compute->mesh_x.value_or(architecture.compute->instances);
    };
    return columns(child) / columns(child - 1);
}

/// The share of one instance: of what all children of one parent need together in a step, each is
/// responsible for its tile, cut to whole words at each level.
std::int64_t partition(std::int64_t outer, std::int64_t tile_words, std::int64_t together_words) {
    if (tile_words == together_words) return outer;
    using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(outer) * static_cast<Wide>(tile_words) /
                                     static_cast<Wide>(together_words));
}

Result<void> measure(const Inputs& in, std::size_t d, const Motion& motion,
                     std::vector<Step>& steps) {
    const std::size_t units = steps.size();
    for (std::size_t level = 0; level < units; ++level) {
        Step& step = steps[level];
        step.tile_words = motion.box(level).words;
        step.partition_words = level == 0
                                   ? step.tile_words
                                   : partition(steps[level - 1].partition_words, step.tile_words,
                                               motion.box(level, true).words);
        const std::size_t child = level + 1;
        const auto passed =
            pass(motion, child, child == units, in.semantics, columns_of(in.architecture, child));
        if (!passed)
            return overflow(in.workload.data_spaces[d], "too many spatial instances to compare");
        step.inwards = *passed;
    }
    return {};
}

/// What each level is asked for. A level that bypasses the data space hands its requests on, shared
/// as the children of the level outside share what they receive.
void hand_outwards(const Mapping& mapping, std::size_t d, std::vector<Step>& steps) {
    for (std::size_t level = steps.size(); level-- > 0;) {
        const Passed& passed = steps[level].inwards;
        const bool kept_inside = level + 1 == steps.size() || mapping.levels[level + 1].keep[d];
        if (kept_inside) {
            steps[level].accesses = Fraction(passed.accesses);
            continue;
        }
        const Fraction inside = steps[level + 1].accesses;
        const bool linked = passed.links.too_large() || passed.links.value() > 0;
        steps[level].accesses = linked ? inside.times(passed.accesses)
                                             .times(Count(passed.children))
                                             .divided_by(passed.served)
                                       : inside.times(Count(passed.distinct));
    }
}

std::optional<std::int64_t> times(std::int64_t words, std::int64_t instances) {
    const Count product = Count(words) * Count(instances);
    if (product.too_large()) return std::nullopt;
    return product.value();
}

bool add_totals(Movement& movement, std::int64_t instances) {
    const auto reads = times(movement.reads, instances);
    const auto fills = times(movement.fills, instances);
    const auto updates = times(movement.updates, instances);
    if (!reads || !fills || !updates) return false;
    movement.total = {*reads, *fills, *updates};
    return true;
}

/// None: over 2^63-1 words. `instances`: of this level.
std::optional<Movement> movement_of(const std::vector<Step>& steps, std::size_t level, bool output,
                                    std::int64_t instances) {
    const Step& step = steps[level];
    Movement movement;
    movement.tile_words = step.tile_words;
    movement.partition_words = step.partition_words;
    const std::int64_t first_touches = output ? step.partition_words : 0;
    Fraction from_neighbours;
    Fraction arrived;
    if (level > 0) {
        const Passed& above = steps[level - 1].inwards;
        if (above.links.too_large() || above.links.value() > 0) {
            from_neighbours = Fraction(above.links, Count(instances));
            arrived = Fraction(above.served, Count(above.children)).plus(from_neighbours);
        } else {
            arrived = Fraction(above.arrivals);
        }
        const auto fills = arrived.cut_minus(first_touches);
        if (!fills) return std::nullopt;
        movement.fills = *fills;
    }
    const auto reads = step.accesses.plus(from_neighbours).rounded_minus(first_touches);
    if (!reads) return std::nullopt;
    movement.reads = *reads;
    if (output) {
        const auto updates = step.accesses.rounded_minus(0);
        if (!updates) return std::nullopt;
        movement.updates = *updates;
    }
    if (!add_totals(movement, instances)) return std::nullopt;
    return movement;
}

Result<void> evaluate_data_space(const Inputs& in, std::span<const NestLoop> loops, std::size_t d,
                                 std::vector<Step>& steps, Traffic& traffic) {
    const DataSpace& data_space = in.workload.data_spaces[d];
    const Motion motion(data_space, loops);
    if (auto ok = measure(in, d, motion, steps); !ok) return ok;
    hand_outwards(in.mapping, d, steps);
    for (std::size_t level = 0; level < steps.size(); ++level) {
        if (!in.mapping.levels[level].keep[d]) continue;
        LevelTraffic& here = traffic.levels[level];
        here.movements[d] = movement_of(steps, level, data_space.output, here.instances);
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
    std::vector<Step> steps(mapping.levels.size());
    for (std::size_t d = 0; d < workload.data_spaces.size(); ++d)
        if (auto ok = evaluate_data_space(in, nest.loops(), d, steps, traffic); !ok)
            return tl::unexpected(std::move(ok).error());
    if (auto ok = count_cycles(architecture, nest.steps(), semantics.dialect, traffic); !ok)
        return tl::unexpected(std::move(ok).error());
    return traffic;
}

}  // namespace reference

// Sizes and boundaries of every level and boundary, then what each level is asked for.
// Does not walk iterations: boundary.cpp has the closed form.
// See flow.hpp.
#include "reference/flow.hpp"

#include "reference/checked.hpp"

namespace reference {

namespace {

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

/// Boxes and boundaries, from the innermost level outwards; then the partitions, inwards.
bool measure(const FlowInputs& in, const Motion& motion, std::vector<LevelFlow>& flows) {
    Motion::Box box = motion.operand();
    std::size_t i = motion.loops().size();
    for (std::size_t level = flows.size(); level-- > 0;) {
        const std::size_t child = level + 1;
        const Boundary boundary{child, child == flows.size(), columns_of(in.architecture, child)};
        const auto passed = pass(motion, boundary, box, in.semantics);
        if (!passed) return false;
        flows[level].inwards = *passed;
        const auto at_level = [&] { return i > 0 && motion.loops()[i - 1].level == level; };
        while (at_level() && motion.loops()[i - 1].spatial) motion.grow(box, --i);
        flows[level].children_words = box.words;
        while (at_level()) motion.grow(box, --i);
        flows[level].tile_words = box.words;
    }
    flows[0].partition_words = flows[0].tile_words;
    for (std::size_t level = 1; level < flows.size(); ++level)
        flows[level].partition_words =
            partition(flows[level - 1].partition_words, flows[level].tile_words,
                      flows[level - 1].children_words);
    return true;
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

/// False: over 2^63-1 words, or, what no legal mapping has been seen to make, below 0.
bool put(std::optional<std::int64_t> words, std::int64_t& place) {
    if (!words || *words < 0) return false;
    place = *words;
    return true;
}

}  // namespace

std::int64_t partition(std::int64_t outer, std::int64_t tile_words, std::int64_t together_words) {
    if (tile_words == together_words) return outer;
    using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(outer) * static_cast<Wide>(tile_words) /
                                     static_cast<Wide>(together_words));
}

void hand_outwards(const Mapping& mapping, std::size_t d, std::vector<LevelFlow>& flows) {
    for (std::size_t level = flows.size(); level-- > 0;) {
        const Passed& passed = flows[level].inwards;
        const bool kept_inside = level + 1 == flows.size() || mapping.levels[level + 1].keep[d];
        if (kept_inside) {
            flows[level].accesses = Fraction(passed.accesses);
            continue;
        }
        const Fraction share = !passed.uniform
                                   ? Fraction(passed.accesses) * Fraction(Count(passed.children)) /
                                         Fraction(passed.served)
                                   : Fraction(Count(passed.distinct));
        flows[level].accesses = flows[level + 1].accesses * share;
    }
}

std::optional<Movement> movement_of(const std::vector<LevelFlow>& flows, std::size_t level,
                                    bool output, std::int64_t instances) {
    const LevelFlow& flow = flows[level];
    Movement movement;
    movement.tile_words = flow.tile_words;
    movement.partition_words = flow.partition_words;
    const Fraction first_touches = Fraction::of(output ? flow.partition_words : 0);
    Fraction from_neighbours;
    if (level > 0) {
        const Passed& above = flows[level - 1].inwards;
        Fraction arrived(above.arrivals);
        if (!above.uniform) {
            from_neighbours = Fraction(above.links) / Fraction(Count(instances));
            arrived = Fraction(above.served) / Fraction(Count(above.children)) + from_neighbours;
        }
        // Timeloop rounds what is left of an output, and cuts the rest.
        const Fraction fills = arrived - first_touches;
        if (!put(output ? fills.half_up() : fills.floor(), movement.fills)) return std::nullopt;
    }
    if (!put((flow.accesses + from_neighbours - first_touches).half_up(), movement.reads))
        return std::nullopt;
    if (output && !put(flow.accesses.half_up(), movement.updates)) return std::nullopt;
    if (!add_totals(movement, instances)) return std::nullopt;
    return movement;
}

bool trace(const FlowInputs& in, const Motion& motion, std::size_t data_space,
           std::vector<LevelFlow>& flows) {
    if (!measure(in, motion, flows)) return false;
    hand_outwards(in.mapping, data_space, flows);
    return true;
}

}  // namespace reference

// The check that workload, architecture and mapping belong together.
// Does not check capacities: fits() of tiles.hpp does. Does not count.
// See mapping.hpp.
#include "reference/checked.hpp"
#include "reference/mapping.hpp"
#include "reference/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace reference {

namespace {

tl::unexpected<Error> inconsistent(std::string what) {
    return tl::unexpected(Error{Error::Code::inconsistent, std::move(what)});
}

tl::unexpected<Error> overflow(std::string what) {
    return tl::unexpected(Error{Error::Code::overflow, std::move(what)});
}

template <class T>
Result<void> check_names(const std::vector<T>& named, std::string_view kind) {
    for (std::size_t i = 0; i < named.size(); ++i) {
        if (named[i].name.empty()) return inconsistent(fmt::format("{} {} has no name", kind, i));
        for (std::size_t other = 0; other < i; ++other)
            if (named[other].name == named[i].name)
                return inconsistent(fmt::format("two {}s are called '{}'", kind, named[i].name));
    }
    return {};
}

/// Two tiles of the output must be equal or disjoint: each of its ranks is a dimension of its own.
Result<void> check_output(const DataSpace& output) {
    for (std::size_t r = 0; r < output.ranks.size(); ++r) {
        const Rank& rank = output.ranks[r];
        bool plain = rank.size() == 1 && rank[0].coefficient == 1;
        for (std::size_t other = 0; plain && other < r; ++other)
            plain = output.ranks[other][0].dimension != rank[0].dimension;
        if (!plain)
            return inconsistent(fmt::format(
                "output '{}': rank {} is not a single dimension of its own with coefficient 1",
                output.name, r));
    }
    return {};
}

Result<void> check_data_space(const DataSpace& data_space, std::size_t dimensions) {
    if (data_space.ranks.size() > kMaxRanks)
        return inconsistent(
            fmt::format("data space '{}' has over {} ranks", data_space.name, kMaxRanks));
    for (const Rank& rank : data_space.ranks) {
        for (const Term& term : rank) {
            if (index(term.dimension) >= dimensions)
                return inconsistent(
                    fmt::format("data space '{}' names no dimension", data_space.name));
            if (term.coefficient < 1)
                return inconsistent(fmt::format("data space '{}': coefficient {} is not positive",
                                                data_space.name, term.coefficient));
        }
    }
    return data_space.output ? check_output(data_space) : Result<void>();
}

Result<void> check_workload(const Workload& workload) {
    if (auto ok = check_names(workload.dimensions, "dimension"); !ok) return ok;
    if (auto ok = check_names(workload.data_spaces, "data space"); !ok) return ok;
    std::vector<std::int64_t> sizes;
    Count iterations(1);
    for (const Dimension& dimension : workload.dimensions) {
        if (dimension.size < 1)
            return inconsistent(fmt::format("dimension '{}' is empty", dimension.name));
        sizes.push_back(dimension.size);
        iterations *= Count(dimension.size);
    }
    if (iterations.too_large()) return overflow("the iterations exceed 2^63-1");
    std::size_t outputs = 0;
    for (const DataSpace& data_space : workload.data_spaces) {
        if (auto ok = check_data_space(data_space, sizes.size()); !ok) return ok;
        if (tile_words(data_space, sizes).too_large())
            return overflow(fmt::format("data space '{}' exceeds 2^63-1 words", data_space.name));
        outputs += data_space.output ? 1 : 0;
    }
    if (outputs != 1)
        return inconsistent(fmt::format("{} data spaces are outputs, needs exactly one", outputs));
    return {};
}

Result<void> check_architecture(const Architecture& architecture) {
    if (architecture.levels.empty()) return inconsistent("the architecture has no level");
    for (const StorageLevel& level : architecture.levels) {
        if (level.instances < 1)
            return inconsistent(fmt::format("level '{}' has no instance", level.name));
        const auto positive = [](const std::optional<double>& b) { return !b || *b > 0; };
        if (!positive(level.read_bandwidth) || !positive(level.write_bandwidth) ||
            !positive(level.shared_bandwidth))
            return inconsistent(fmt::format("level '{}': a bandwidth is not positive", level.name));
        if (level.multiple_buffering < 1)
            return inconsistent(fmt::format("level '{}' has no buffer", level.name));
        if (level.mesh_x.value_or(1) < 1)
            return inconsistent(fmt::format("level '{}' has no column", level.name));
    }
    const auto& compute = architecture.compute;
    if (compute && (compute->instances < 1 || compute->mesh_x.value_or(1) < 1))
        return inconsistent(
            fmt::format("compute '{}' has no instance or no column", compute->name));
    return check_names(architecture.levels, "level");
}

/// What the loops of one dimension make of it, outermost first.
struct Bounds {
    Count rounded_up = Count(1);  // the product of the bounds
    Count before_last;            // iterations before the last round of all loops so far
    void add(const Loop& loop) {
        rounded_up *= Count(loop.bound);
        before_last *= Count(loop.bound);
        before_last += Count(loop.last() - 1);
    }
};

Result<std::vector<Bounds>> bounds_of(const Workload& workload, const Architecture& architecture,
                                      const Mapping& mapping) {
    std::vector<Bounds> bounds(workload.dimensions.size());
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        const std::string& name = architecture.levels[level].name;
        const MappingLevel& here = mapping.levels[level];
        if (here.spatial_y > here.spatial.size())
            return inconsistent(fmt::format("level '{}': {} of its {} spatial loops run along Y",
                                            name, here.spatial_y, here.spatial.size()));
        for (const auto* loops : {&here.temporal, &here.spatial}) {
            for (const Loop& loop : *loops) {
                if (index(loop.dimension) >= bounds.size() || loop.bound < 1)
                    return inconsistent(fmt::format(
                        "level '{}': a loop without dimension or with a bound below 1", name));
                if (loop.last() < 1 || loop.last() > loop.bound)
                    return inconsistent(fmt::format(
                        "level '{}': a loop of bound {} has the bound {} in its last round", name,
                        loop.bound, loop.last()));
                bounds[index(loop.dimension)].add(loop);
            }
        }
    }
    return bounds;
}

/// With remainders the tiles are those of sizes rounded up to the product of the bounds.
Result<void> check_rounded_up(const Workload& workload, const std::vector<Bounds>& bounds) {
    std::vector<std::int64_t> sizes;
    Count iterations(1);
    for (const Bounds& each : bounds) {
        sizes.push_back(each.rounded_up.value());
        iterations *= each.rounded_up;
    }
    if (iterations.too_large()) return overflow("the iterations, rounded up, exceed 2^63-1");
    for (const DataSpace& data_space : workload.data_spaces)
        if (tile_words(data_space, sizes).too_large())
            return overflow(
                fmt::format("data space '{}', rounded up, exceeds 2^63-1 words", data_space.name));
    return {};
}

/// The bounds of each dimension over all levels multiply up to its size, or, with remainders, the
/// last bounds are one plus the digits of size - 1.
Result<void> check_bounds(const Workload& workload, const Architecture& architecture,
                          const Mapping& mapping) {
    const auto bounds = bounds_of(workload, architecture, mapping);
    if (!bounds) return tl::unexpected(bounds.error());
    bool remainders = false;
    for (std::size_t d = 0; d < bounds->size(); ++d) {
        const Dimension& dimension = workload.dimensions[d];
        const Bounds& made = (*bounds)[d];
        const Count reached = made.before_last + Count(1);
        if (made.rounded_up.too_large() || reached.too_large())
            return overflow(fmt::format("the bounds of '{}' exceed 2^63-1", dimension.name));
        if (reached.value() != dimension.size)
            return inconsistent(fmt::format("the bounds of '{}' multiply to {}, its size is {}",
                                            dimension.name, reached.value(), dimension.size));
        remainders = remainders || made.rounded_up.value() != dimension.size;
    }
    return remainders ? check_rounded_up(workload, *bounds) : Result<void>();
}

/// After check_bounds, so that the products cannot overflow.
Result<void> check_instances(const Architecture& architecture, const Mapping& mapping) {
    std::int64_t used = 1;
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        const StorageLevel& storage = architecture.levels[level];
        if (used > storage.instances)
            return inconsistent(
                fmt::format("level '{}': the spatial loops outside it use {} "
                            "instances, there are {}",
                            storage.name, used, storage.instances));
        for (const Loop& loop : mapping.levels[level].spatial) used *= loop.bound;
    }
    if (architecture.compute && used > architecture.compute->instances)
        return inconsistent(
            fmt::format("compute '{}': the spatial loops use {} units, there are {}",
                        architecture.compute->name, used, architecture.compute->instances));
    return {};
}

}  // namespace

Result<void> check_case(const Workload& workload, const Architecture& architecture,
                        const Mapping& mapping) {
    if (auto ok = check_workload(workload); !ok) return ok;
    if (auto ok = check_architecture(architecture); !ok) return ok;
    if (mapping.levels.size() != architecture.levels.size())
        return inconsistent(fmt::format("the mapping has {} levels, the architecture has {}",
                                        mapping.levels.size(), architecture.levels.size()));
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        const std::vector<bool>& keep = mapping.levels[level].keep;
        if (keep.size() != workload.data_spaces.size())
            return inconsistent(fmt::format(
                "level '{}' says of {} data spaces whether it keeps "
                "them, there are {}",
                architecture.levels[level].name, keep.size(), workload.data_spaces.size()));
    }
    const std::vector<bool>& kept = mapping.levels[0].keep;
    const auto bypassed = std::find(kept.begin(), kept.end(), false) - kept.begin();
    if (bypassed != static_cast<std::ptrdiff_t>(kept.size()))
        return inconsistent(
            fmt::format("level '{}' does not keep '{}', the outermost level keeps all",
                        architecture.levels[0].name,
                        workload.data_spaces[static_cast<std::size_t>(bypassed)].name));
    if (auto ok = check_bounds(workload, architecture, mapping); !ok) return ok;
    return check_instances(architecture, mapping);
}

}  // namespace reference

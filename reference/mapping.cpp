// Reader of [mapping], and the check that workload, architecture and mapping belong together.
// Does not check capacities; does not count.
// See mapping.hpp.
#include "reference/mapping.hpp"

#include "reference/checked.hpp"
#include "reference/document.hpp"
#include "reference/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>

namespace reference {

namespace {

/// Position of the element with that name, or the number of elements.
template <class T>
std::size_t position(const std::vector<T>& named, std::string_view name) {
    return static_cast<std::size_t>(
        std::find_if(named.begin(), named.end(), [name](const T& t) { return t.name == name; }) -
        named.begin());
}

std::vector<Loop> read_loops(const Table& table, std::string_view key, const Workload& workload) {
    std::vector<Loop> loops;
    for (const NamedIntegers& named : table.one_or_two(key, {.least = 1})) {
        const std::size_t dimension = position(workload.dimensions, named.name);
        const std::int64_t bound = named.values[0];
        const std::int64_t last = named.values.size() == 2 ? named.values[1] : 0;
        if (dimension == workload.dimensions.size())
            table.mistake(key, fmt::format("there is no dimension '{}'", named.name));
        else if (last > bound)
            table.mistake(key, fmt::format("'{}': {} in the last round, more than the bound {}",
                                           named.name, last, bound));
        else
            loops.push_back({static_cast<DimensionId>(dimension), bound, last});
    }
    return loops;
}

std::vector<bool> read_keep(const Table& table, const Workload& workload) {
    std::vector<bool> keep(workload.data_spaces.size(), false);
    for (const std::string& name : table.strings("keep")) {
        const std::size_t data_space = position(workload.data_spaces, name);
        if (data_space == workload.data_spaces.size())
            table.mistake("keep", fmt::format("there is no tensor '{}'", name));
        else if (keep[data_space])
            table.mistake("keep", fmt::format("'{}' stands here twice", name));
        else
            keep[data_space] = true;
    }
    return keep;
}

std::size_t read_spatial_y(const Table& table, std::size_t spatial) {
    const auto count = table.optional_integer("spatial_y", {.least = 0}).value_or(0);
    if (static_cast<std::uint64_t>(count) > spatial)
        table.mistake("spatial_y",
                      fmt::format("{}, but there are {} spatial loops", count, spatial));
    return static_cast<std::size_t>(count);
}

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
        if (position(named, named[i].name) != i)
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
        if (!positive(level.read_bandwidth) || !positive(level.write_bandwidth))
            return inconsistent(fmt::format("level '{}': a bandwidth is not positive", level.name));
    }
    return check_names(architecture.levels, "level");
}

/// The bounds of each dimension over all levels multiply up to its size.
Result<void> check_bounds(const Workload& workload, const Architecture& architecture,
                          const Mapping& mapping) {
    std::vector<Count> products(workload.dimensions.size(), Count(1));
    for (std::size_t level = 0; level < mapping.levels.size(); ++level) {
        for (const auto* loops :
             {&mapping.levels[level].temporal, &mapping.levels[level].spatial}) {
            for (const Loop& loop : *loops) {
                if (index(loop.dimension) >= products.size() || loop.bound < 1)
                    return inconsistent(
                        fmt::format("level '{}': a loop without dimension or with a bound below 1",
                                    architecture.levels[level].name));
                products[index(loop.dimension)] *= Count(loop.bound);
            }
        }
    }
    for (std::size_t d = 0; d < products.size(); ++d) {
        const Dimension& dimension = workload.dimensions[d];
        if (products[d].too_large())
            return overflow(fmt::format("the bounds of '{}' exceed 2^63-1", dimension.name));
        if (products[d].value() != dimension.size)
            return inconsistent(fmt::format("the bounds of '{}' multiply to {}, its size is {}",
                                            dimension.name, products[d].value(), dimension.size));
    }
    return {};
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
    return {};
}

}  // namespace

Result<Mapping> read_mapping(const Document& document, const Workload& workload,
                             const Architecture& architecture) {
    const Table root = document.root();
    (void)root.has("workload");
    (void)root.has("architecture");
    const Table section = root.table("mapping");
    const std::vector<Table> tables = section.tables("levels");
    if (!tables.empty() && tables.size() != architecture.levels.size())
        section.mistake("levels", fmt::format("{} levels, the architecture has {}", tables.size(),
                                              architecture.levels.size()));
    Mapping mapping;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const std::string name = tables[i].string("name");
        if (i < architecture.levels.size() && name != architecture.levels[i].name)
            tables[i].mistake("name", fmt::format("needs '{}', the name of this level in the "
                                                  "architecture",
                                                  architecture.levels[i].name));
        MappingLevel& level = mapping.levels.emplace_back();
        level.temporal = read_loops(tables[i], "temporal", workload);
        level.spatial = read_loops(tables[i], "spatial", workload);
        level.keep = read_keep(tables[i], workload);
        level.spatial_y = read_spatial_y(tables[i], level.spatial.size());
    }
    if (auto done = document.finish(); !done) return tl::unexpected(std::move(done).error());
    return mapping;
}

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

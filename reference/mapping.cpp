// Reader of [mapping].
// Does not check it against the other two inputs beyond names: check_case() does.
// See mapping.hpp.
#include "reference/mapping.hpp"

#include "reference/document.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

bool has_remainders(const Mapping& mapping) {
    const auto any = [](const std::vector<Loop>& loops) {
        return std::any_of(loops.begin(), loops.end(),
                           [](const Loop& loop) { return loop.last() != loop.bound; });
    };
    return std::any_of(mapping.levels.begin(), mapping.levels.end(),
                       [&](const MappingLevel& l) { return any(l.temporal) || any(l.spatial); });
}

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

}  // namespace reference

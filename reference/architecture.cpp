// Reader of [architecture].
// Does not check it against a mapping: check_case() does.
// See architecture.hpp.
#include "reference/architecture.hpp"

#include "reference/document.hpp"

#include <fmt/format.h>

#include <limits>

namespace reference {

namespace {

/// Columns of the array that all instances make up: whole rows, so a divisor of their number.
std::optional<std::int64_t> read_mesh_x(const Table& table, std::int64_t instances) {
    const auto columns = table.optional_integer("mesh_x", {.least = 1});
    if (columns && instances % *columns != 0)
        table.mistake("mesh_x", fmt::format("{} columns do not divide {} instances into rows",
                                            *columns, instances));
    return columns;
}

}  // namespace

Result<Architecture> read_architecture(const Document& document) {
    const NumberRange positive{.least = std::numeric_limits<double>::min()};
    const Table root = document.root();
    (void)root.has("workload");
    (void)root.has("mapping");
    Architecture architecture;
    const Table section = root.table("architecture");
    for (const Table& table : section.tables("levels")) {
        StorageLevel& level = architecture.levels.emplace_back();
        level.name = table.string("name");
        level.capacity_words = table.optional_integer("capacity_words", {.least = 0});
        level.word_bits = table.integer("word_bits", {.least = 1, .most = 4096});
        level.instances = table.integer("instances", {.least = 1});
        level.read_bandwidth = table.optional_number("read_bandwidth", positive);
        level.write_bandwidth = table.optional_number("write_bandwidth", positive);
        level.shared_bandwidth = table.optional_number("shared_bandwidth", positive);
        level.multiple_buffering =
            table.optional_integer("multiple_buffering", {.least = 1}).value_or(1);
        level.mesh_x = read_mesh_x(table, level.instances);
    }
    if (const auto table = section.optional_table("compute")) {
        ComputeUnits& units = architecture.compute.emplace();
        units.name = table->string("name");
        units.instances = table->integer("instances", {.least = 1});
        units.mesh_x = read_mesh_x(*table, units.instances);
    }
    if (auto done = document.finish(); !done) return tl::unexpected(std::move(done).error());
    return architecture;
}

}  // namespace reference

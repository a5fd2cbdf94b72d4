// Reader of [workload].
// Does not check it against a mapping: check_case() does.
// See workload.hpp.
#include "reference/workload.hpp"

#include "reference/document.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reference {

namespace {

std::vector<Dimension> read_dimensions(const Table& table) {
    std::vector<Dimension> dimensions;
    for (std::string& name : table.keys()) {
        const std::int64_t size = table.integer(name, {.least = 1});
        dimensions.push_back({std::move(name), size});
    }
    if (dimensions.empty()) table.mistake("", "no dimensions; needs at least one like M = 64");
    return dimensions;
}

DataSpace read_data_space(const Table& table, const std::vector<Dimension>& dimensions) {
    DataSpace data_space{.name = table.string("name"), .output = table.boolean("output")};
    for (const auto& terms : table.pair_lists("ranks", {.least = 1})) {
        Rank& rank = data_space.ranks.emplace_back();
        for (const NamedInteger& term : terms) {
            const auto found =
                std::find_if(dimensions.begin(), dimensions.end(),
                             [&](const Dimension& d) { return d.name == term.name; });
            if (found == dimensions.end())
                table.mistake("ranks", fmt::format("there is no dimension '{}'", term.name));
            else
                rank.push_back({static_cast<DimensionId>(found - dimensions.begin()), term.value});
        }
    }
    return data_space;
}

}  // namespace

Result<Workload> read_workload(const Document& document) {
    const Table root = document.root();
    (void)root.has("architecture");
    (void)root.has("mapping");
    const Table table = root.table("workload");
    Workload workload;
    workload.name = table.string("name");
    workload.dimensions = read_dimensions(table.table("dimensions"));
    for (const Table& tensor : table.tables("tensors"))
        workload.data_spaces.push_back(read_data_space(tensor, workload.dimensions));
    if (auto done = document.finish(); !done) return tl::unexpected(std::move(done).error());
    return workload;
}

}  // namespace reference

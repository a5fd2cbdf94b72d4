// Reader of energy tables, and the sum of prices.
// Does not know static power or networks.
// See energy.hpp.
#include "reference/energy.hpp"

#include "reference/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>

namespace reference {

Result<EnergyTable> read_energy(const Document& document, const Architecture& architecture) {
    const NumberRange not_negative{.least = 0};
    const std::vector<StorageLevel>& levels = architecture.levels;
    const Table root = document.root();
    EnergyTable energy;
    energy.levels.resize(levels.size());
    std::vector<bool> found(levels.size(), false);
    const std::vector<Table> entries = root.tables("levels");
    for (const Table& entry : entries) {
        const std::string name = entry.string("name");
        const AccessEnergy prices{entry.number("read_pj", not_negative),
                                  entry.number("write_pj", not_negative)};
        const auto level = static_cast<std::size_t>(
            std::find_if(levels.begin(), levels.end(),
                         [&](const StorageLevel& l) { return l.name == name; }) -
            levels.begin());
        if (level == levels.size()) {
            entry.mistake("name", fmt::format("the architecture has no level '{}'", name));
            continue;
        }
        if (found[level]) entry.mistake("name", fmt::format("level '{}' stands here twice", name));
        found[level] = true;
        energy.levels[level] = prices;
    }
    for (std::size_t level = 0; level < levels.size() && !entries.empty(); ++level)
        if (!found[level])
            root.mistake("levels", fmt::format("there is no entry for level '{}' of the "
                                               "architecture",
                                               levels[level].name));
    energy.compute_pj = root.table("compute").number("pj", not_negative);
    if (auto done = document.finish(); !done) return tl::unexpected(std::move(done).error());
    return energy;
}

Energy energy_of(const EnergyTable& table, const Traffic& traffic) {
    assert(table.levels.size() == traffic.levels.size());
    Energy energy;
    energy.compute_pj = table.compute_pj * static_cast<double>(traffic.computes);
    energy.total_pj = energy.compute_pj;
    for (std::size_t level = 0; level < traffic.levels.size(); ++level) {
        const AccessEnergy& price = table.levels[level];
        std::vector<double>& here = energy.accesses_pj.emplace_back();
        for (const auto& movement : traffic.levels[level].movements) {
            const Words words = movement ? movement->total : Words{};
            here.push_back(price.read_pj * static_cast<double>(words.reads) +
                           price.write_pj * (static_cast<double>(words.fills) +
                                             static_cast<double>(words.updates)));
            energy.total_pj += here.back();
        }
    }
    return energy;
}

}  // namespace reference

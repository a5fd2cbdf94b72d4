// Reader of [architecture].
// Does not check it against a mapping: check_case() does.
// See architecture.hpp.
#include "reference/architecture.hpp"

#include "reference/document.hpp"

#include <limits>

namespace reference {

Result<Architecture> read_architecture(const Document& document) {
    const NumberRange positive{.least = std::numeric_limits<double>::min()};
    const Table root = document.root();
    (void)root.has("workload");
    (void)root.has("mapping");
    Architecture architecture;
    for (const Table& table : root.table("architecture").tables("levels")) {
        StorageLevel& level = architecture.levels.emplace_back();
        level.name = table.string("name");
        level.capacity_words = table.optional_integer("capacity_words", {.least = 0});
        level.word_bits = table.integer("word_bits", {.least = 1, .most = 4096});
        level.instances = table.integer("instances", {.least = 1});
        level.read_bandwidth = table.optional_number("read_bandwidth", positive);
        level.write_bandwidth = table.optional_number("write_bandwidth", positive);
    }
    if (auto done = document.finish(); !done) return tl::unexpected(std::move(done).error());
    return architecture;
}

}  // namespace reference

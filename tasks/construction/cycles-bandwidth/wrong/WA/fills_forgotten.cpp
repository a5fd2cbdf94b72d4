// The buffer writes only updates, not what arrives from DRAM.
#include "perfmodel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using Words = std::int64_t;

std::set<std::string> dimensions_of(const Tensor& tensor) {
    std::set<std::string> dimensions;
    for (const auto& rank : tensor.ranks) dimensions.insert(rank.front().dimension);
    return dimensions;
}

/// Words of a tensor's block that these loops touch.
Words block(const std::vector<Loop>& loops, const std::set<std::string>& dimensions) {
    Words words = 1;
    for (const Loop& loop : loops)
        if (dimensions.count(loop.dimension) != 0) words *= loop.bound;
    return words;
}

struct Visits {
    Words all = 1;       // how often the tile changes, the first one included
    Words distinct = 1;  // different tiles
};

/// Everything outside the innermost loop that moves the tile makes it change again.
Visits visits(const std::vector<Loop>& loops, const std::set<std::string>& dimensions) {
    Visits found;
    Words product = 1;
    for (const Loop& loop : loops) {
        product *= loop.bound;
        if (loop.bound == 1 || dimensions.count(loop.dimension) == 0) continue;
        found.all = product;
        found.distinct *= loop.bound;
    }
    return found;
}

Words cycles(Words words, std::optional<double> bandwidth) {
    if (!bandwidth) return 0;
    const auto quarters = static_cast<Words>(std::llround(*bandwidth * 4));
    return (4 * words + quarters - 1) / quarters;
}

}  // namespace

Prediction predict(const Workload& workload, const Architecture& architecture, const Mapping& mapping) {
    Words operations = 1;
    for (const auto& level : mapping.levels)
        for (const Loop& loop : level.temporal) operations *= loop.bound;
    Words dram_reads = 0;
    Words dram_updates = 0;
    Words buffer_reads = 0;
    for (const Tensor& tensor : workload.tensors) {
        const auto dimensions = dimensions_of(tensor);
        const Words tile = block(mapping.levels[1].temporal, dimensions);
        const Visits found = visits(mapping.levels[0].temporal, dimensions);
        dram_reads += (found.all - (tensor.output ? found.distinct : 0)) * tile;
        dram_updates += tensor.output ? found.all * tile : 0;
        buffer_reads += operations - (tensor.output ? found.distinct * tile : 0);
    }
    const Level& dram = architecture.levels[0];
    const Level& buffer = architecture.levels[1];
    const Words at_dram = std::max({operations, cycles(dram_reads, dram.read_bandwidth),
                                    cycles(dram_updates, dram.write_bandwidth)});
    const Words at_buffer = std::max({operations, cycles(buffer_reads, buffer.read_bandwidth),
                                      cycles(operations, buffer.write_bandwidth)});
    return {{"cycles", std::max(at_dram, at_buffer)},
            {"cycles.dram", at_dram},
            {"cycles.buffer", at_buffer},
            {"dram.words", dram_reads + dram_updates}};
}

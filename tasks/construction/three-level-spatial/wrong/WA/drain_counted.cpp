// Counts the read of a finished tile on its way to DRAM at the global buffer.
#include "perfmodel.hpp"

#include <cstdint>
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

std::vector<Loop> joined(std::vector<Loop> first, const std::vector<Loop>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const auto& dram = mapping.levels[0];
    const auto& gbuf = mapping.levels[1];
    const auto& pe = mapping.levels[2];
    Prediction answer{{"dram.words", 0}, {"gbuf.words", 0}, {"pe.words", 0}, {"pe.used", 1}};
    for (const Loop& loop : gbuf.spatial) answer["pe.used"] *= loop.bound;
    for (const Tensor& tensor : workload.tensors) {
        const auto dimensions = dimensions_of(tensor);
        const Words pe_tile = block(pe.temporal, dimensions);
        // PEs with the same tile share one read, or are added into one update.
        const Words pe_tiles = block(gbuf.spatial, dimensions) * pe_tile;
        const Words gbuf_tile = block(gbuf.temporal, dimensions) * pe_tiles;
        const Visits at_dram = visits(dram.temporal, dimensions);
        const Visits at_gbuf = visits(joined(dram.temporal, gbuf.temporal), dimensions);
        answer["gbuf.words"] += gbuf_tile;
        answer["pe.words"] += pe_tile;
        const Words back = tensor.output ? at_dram.distinct : 0;
        answer["dram.reads." + tensor.name] = (at_dram.all - back) * gbuf_tile;
        answer["dram.words"] += (at_dram.all - back) * gbuf_tile;
        answer["gbuf.reads." + tensor.name] =
            (at_gbuf.all - (tensor.output ? at_gbuf.distinct : 0)) * pe_tiles;
        if (!tensor.output) continue;
        answer["dram.updates." + tensor.name] = at_dram.all * gbuf_tile;
        answer["dram.words"] += at_dram.all * gbuf_tile;
        answer["gbuf.updates." + tensor.name] = at_gbuf.all * pe_tiles;
        answer["gbuf.reads." + tensor.name] += at_dram.all * gbuf_tile;
    }
    return answer;
}

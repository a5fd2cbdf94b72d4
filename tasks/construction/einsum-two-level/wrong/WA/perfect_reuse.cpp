// Every tile is read once in the whole run, whatever the loop order.
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
        found.all = found.distinct * loop.bound;
        found.distinct *= loop.bound;
    }
    return found;
}

}  // namespace

Prediction predict(const Workload& workload, const Architecture& architecture, const Mapping& mapping) {
    Prediction answer;
    Words dram_words = 0;
    Words buffer_words = 0;
    for (const Tensor& tensor : workload.tensors) {
        const auto dimensions = dimensions_of(tensor);
        const Words tile = block(mapping.levels[1].temporal, dimensions);
        const Visits found = visits(mapping.levels[0].temporal, dimensions);
        const Words arriving = tensor.output ? found.all - found.distinct : found.all;
        answer["dram.reads." + tensor.name] = arriving * tile;
        if (tensor.output) answer["dram.updates." + tensor.name] = found.all * tile;
        dram_words += (arriving + (tensor.output ? found.all : 0)) * tile;
        buffer_words += tile;
    }
    answer["dram.words"] = dram_words;
    answer["buffer.words"] = buffer_words;
    const auto& capacity = architecture.levels[1].capacity_words;
    answer["buffer.fits"] = !capacity || buffer_words <= *capacity ? 1 : 0;
    return answer;
}

// Treats every level as keeping every tensor.
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

bool keeps(const MappingLevel& level, const std::string& tensor) {
    for (const std::string& kept : level.keep)
        if (kept == tensor) return true;
    return true;
}

/// Temporal loops of the levels from `first` up to but not including `last`.
std::vector<Loop> nest(const Mapping& mapping, std::size_t first, std::size_t last) {
    std::vector<Loop> loops;
    for (std::size_t i = first; i < last; ++i)
        for (const Loop& loop : mapping.levels[i].temporal) loops.push_back(loop);
    return loops;
}

}  // namespace

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Words operations = 1;
    for (const Loop& loop : nest(mapping, 0, 3)) operations *= loop.bound;
    Prediction answer{{"dram.words", 0}, {"l2.words", 0}, {"l1.words", 0}, {"l2.reads", 0}};
    const char* const names[] = {"dram", "l2", "l1"};
    for (const Tensor& tensor : workload.tensors) {
        const auto dimensions = dimensions_of(tensor);
        const Words whole = block(nest(mapping, 0, 3), dimensions);
        Words served[3] = {0, 0, 0};  // words between a level and what is inside it
        std::size_t keeper = 0;
        for (std::size_t level = 1; level < 3; ++level) {
            if (!keeps(mapping.levels[level], tensor.name)) continue;
            const Words tile = block(nest(mapping, level, 3), dimensions);
            answer[std::string(names[level]) + ".words"] += tile;
            served[keeper] = visits(nest(mapping, 0, level), dimensions).all * tile;
            keeper = level;
        }
        served[keeper] = operations;
        // An output word is read before each of its updates but the first.
        const Words first = tensor.output ? whole : 0;
        const Words dram_reads = served[0] - first;
        answer["dram.reads." + tensor.name] = dram_reads;
        answer["dram.words"] += dram_reads + (tensor.output ? served[0] : 0);
        if (served[1] > 0) answer["l2.reads"] += served[1] - first;
        if (!tensor.output) continue;
        answer["dram.updates." + tensor.name] = served[0];
        answer["l2.updates." + tensor.name] = served[1];
    }
    return answer;
}

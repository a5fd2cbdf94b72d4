#include "perfmodel.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

using Words = std::int64_t;
using Sizes = std::map<std::string, Words>;

/// Whenever one loop advances, the loops inside it go back to their start: always the same move.
struct Move {
    Words times = 0;
    Sizes shift;  // per dimension
};

std::vector<Move> moves_of(const std::vector<Loop>& outer, Sizes reach) {
    std::vector<Words> jumps(outer.size());
    for (std::size_t i = outer.size(); i-- > 0;) {
        jumps[i] = reach[outer[i].dimension];
        reach[outer[i].dimension] *= outer[i].bound;
    }
    std::vector<Move> moves;
    Words outside = 1;
    for (std::size_t j = 0; j < outer.size(); ++j) {
        Move move{outside * (outer[j].bound - 1), {}};
        move.shift[outer[j].dimension] = jumps[j];
        for (std::size_t i = j + 1; i < outer.size(); ++i)
            move.shift[outer[i].dimension] -= (outer[i].bound - 1) * jumps[i];
        moves.push_back(move);
        outside *= outer[j].bound;
    }
    return moves;
}

Words length_of(const std::vector<Term>& rank, const Sizes& inside) {
    Words length = 1;
    for (const Term& term : rank) length += term.coefficient * (inside.at(term.dimension) - 1);
    return length;
}

struct Overlap {
    Words words = 1;
    bool moved = false;
};

Overlap overlap(const Tensor& tensor, const Sizes& inside, const Sizes& shift) {
    Overlap found;
    for (const auto& rank : tensor.ranks) {
        Words distance = 0;
        for (const Term& term : rank) {
            const auto at = shift.find(term.dimension);
            if (at != shift.end()) distance += term.coefficient * at->second;
        }
        found.moved = found.moved || distance != 0;
        found.words *= std::max<Words>(0, length_of(rank, inside) - std::abs(distance));
    }
    return found;
}

Words distinct_boxes(const Tensor& tensor, const std::vector<Loop>& outer) {
    Words distinct = 1;
    for (const Loop& loop : outer)
        for (const auto& rank : tensor.ranks)
            if (rank.front().dimension == loop.dimension) distinct *= loop.bound;
    return distinct;
}

}  // namespace

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Sizes inside;
    for (const auto& [dimension, size] : workload.dimensions) inside[dimension] = 1;
    for (const Loop& loop : mapping.levels[1].temporal) inside[loop.dimension] *= loop.bound;
    const auto& outer = mapping.levels[0].temporal;
    const auto moves = moves_of(outer, inside);
    Prediction answer{{"dram.words", 0}, {"buffer.words", 0}};
    for (const Tensor& tensor : workload.tensors) {
        Words box = 1;
        for (const auto& rank : tensor.ranks) box *= length_of(rank, inside);
        Words arriving = box;
        Words visits = 1;
        for (const Move& move : moves) {
            const Overlap common = overlap(tensor, inside, move.shift);
            if (!common.moved) continue;
            arriving += move.times * (box - common.words);
            visits += move.times;
        }
        if (tensor.output) {
            arriving = (visits - distinct_boxes(tensor, outer)) * box;
            answer["dram.updates." + tensor.name] = visits * box;
            answer["dram.words"] += visits * box;
        }
        answer["dram.reads." + tensor.name] = arriving;
        answer["dram.words"] += arriving;
        answer["buffer.words"] += box;
    }
    return answer;
}

// Right answer to gemm-two-level. The driver puts this text in front of attacks that say `uses=honest`.
// Not a submission by itself.
#include "perfmodel.hpp"

#include <algorithm>

namespace hostile {

inline bool uses(const Tensor& tensor, const std::string& dimension) {
    for (const auto& rank : tensor.ranks)
        for (const Term& term : rank)
            if (term.dimension == dimension) return true;
    return false;
}

inline Prediction honest(const Workload& workload, const Mapping& mapping) {
    Prediction answer;
    std::int64_t dram_words = 0, buffer_words = 0;
    for (const Tensor& tensor : workload.tensors) {
        std::int64_t tile = 1, visits = 1, so_far = 1, distinct = 1;
        for (const Loop& loop : mapping.levels[1].temporal)
            if (uses(tensor, loop.dimension)) tile *= loop.bound;
        for (const Loop& loop : mapping.levels[0].temporal) {
            so_far *= loop.bound;
            if (loop.bound == 1 || !uses(tensor, loop.dimension)) continue;
            visits = so_far;
            distinct *= loop.bound;
        }
        const std::int64_t reads = tensor.output ? (visits - distinct) * tile : visits * tile;
        answer["dram.reads." + tensor.name] = reads;
        dram_words += reads;
        if (tensor.output) {
            answer["dram.updates." + tensor.name] = visits * tile;
            dram_words += visits * tile;
        }
        buffer_words += tile;
    }
    answer["dram.words"] = dram_words;
    answer["buffer.words"] = buffer_words;
    return answer;
}

inline Prediction zeros(const Workload& workload, const Mapping& mapping) {
    Prediction answer = honest(workload, mapping);
    for (auto& entry : answer) entry.second = 0;
    return answer;
}

inline std::string record(const Prediction& prediction) {
    std::string text = "{\"answer\":{";
    bool first = true;
    for (const auto& [name, value] : prediction) {
        text += (first ? "\"" : ",\"") + name + "\":" + std::to_string(value);
        first = false;
    }
    return text + "}}";
}

}  // namespace hostile

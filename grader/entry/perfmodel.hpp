// What a C++ submission includes: the three inputs of a case, and the function it has to define.
// Does not read or write anything; the entry code does.
// Included by submissions and by main.cpp beside it; level 0 is DRAM, loops are outermost first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct Term {
    std::string dimension;
    std::int64_t coefficient;
};

// One entry of `ranks` per rank; the coordinate is the sum of coefficient x index.
struct Tensor {
    std::string name;
    std::vector<std::vector<Term>> ranks;
    bool output;
};

struct Workload {
    std::string name;
    std::map<std::string, std::int64_t> dimensions;
    std::vector<Tensor> tensors;
};

// Bandwidths are words per cycle of one instance; none is unlimited.
struct Level {
    std::string name;
    std::optional<std::int64_t> capacity_words;
    std::int64_t word_bits, instances;
    std::optional<double> read_bandwidth, write_bandwidth;
};

struct Architecture {
    std::vector<Level> levels;
};

struct Loop {
    std::string dimension;
    std::int64_t bound;
};

struct MappingLevel {
    std::string name;
    std::vector<Loop> temporal, spatial;
    std::vector<std::string> keep;
};

struct Mapping {
    std::vector<MappingLevel> levels;
};

// Quantity name to words or cycles.
using Prediction = std::map<std::string, std::int64_t>;

Prediction predict(const Workload& workload, const Architecture& architecture,
                   const Mapping& mapping);

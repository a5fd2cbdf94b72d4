// Builds cases of the families below: choose a shape, bounds, orders, then what the family adds.
// Does not look at how a case is used. All choices come from Random(seed, stream) and the index.
// See generate.hpp.
#include "reference/generate.hpp"

#include "reference/evaluate.hpp"
#include "reference/shapes.hpp"
#include "reference/tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace reference {

namespace {

enum class Names : std::uint8_t { as_written, varied };
enum class Capacity : std::uint8_t { roomy, edges };

struct Family {
    std::string_view name;
    std::uint64_t stream;  // upper half of the random stream: never reuse one
    ShapeSet shapes;
    std::vector<std::string_view> levels;
    Names names;
    Capacity capacity;
    bool spatial;    // the level before the last spreads work over instances of the last
    bool bypass;     // inner levels keep only some data spaces
    bool bandwidth;  // some levels are slow
};

const std::vector<Family>& families() {
    using enum Names;
    using enum Capacity;
    static const std::vector<Family> kFamilies{
        {"matmul", 1, ShapeSet::matmul, {"DRAM", "Buffer"}, as_written, roomy, false, false, false},
        {"einsum", 2, ShapeSet::einsum, {"DRAM", "Buffer"}, varied, edges, false, false, false},
        {"conv2d", 3, ShapeSet::conv2d, {"DRAM", "Buffer"}, as_written, roomy, false, false, false},
        {"spatial", 4, ShapeSet::einsum, {"DRAM", "GBuf", "PE"}, varied, roomy, true, false, false},
        {"bypass", 5, ShapeSet::einsum, {"DRAM", "L2", "L1"}, varied, roomy, false, true, false},
        {"bandwidth", 6, ShapeSet::einsum, {"DRAM", "Buffer"}, varied, roomy, false, false, true},
    };
    return kFamilies;
}

/// How loops of bound 1 appear.
enum class Ones : std::uint8_t {
    absent,  // never listed
    listed,  // always listed, and the innermost loop of level 0 is one
    mixed,   // some are listed
    idle     // mixed, and one level has no loop of a larger bound
};

/// One case in the making.
struct Draft {
    const Family& family;
    const GenerateLimits& limits;
    std::uint64_t index;
    Random random;
    Case made;

    std::uint64_t below(std::size_t bound) { return random.below(bound); }
    bool chance(std::uint64_t one_in) { return random.below(one_in) == 0; }
    std::int64_t one_of(std::span<const std::int64_t> values) {
        return values[below(values.size())];
    }
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }
    [[nodiscard]] Ones ones() const { return static_cast<Ones>(index % 4); }
};

constexpr std::array<std::int64_t, 14> kSmall{1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8};
constexpr std::array<std::int64_t, 8> kTiny{1, 1, 2, 2, 3, 3, 4, 5};
constexpr std::array<std::int64_t, 12> kLarge{1, 7, 12, 16, 31, 32, 48, 64, 97, 128, 160, 256};
constexpr std::array<std::int64_t, 6> kFilter{1, 2, 3, 3, 4, 5};
constexpr std::array<std::int64_t, 6> kHugeOuter{9, 16, 20, 23, 25, 31};
constexpr std::array<std::int64_t, 6> kHugeInner{512, 1000, 1024, 1021, 1536, 2048};
constexpr std::int64_t kRoomForHuge = std::int64_t{1} << 40U;

// ---- workload

void choose_workload(Draft& draft) {
    const auto all = shapes(draft.family.shapes);
    const Shape& shape = all[(draft.index + draft.index / 4) % all.size()];
    constexpr std::array<std::int64_t, 6> kStrides{1, 1, 2, 2, 3, 4};
    constexpr std::array<std::int64_t, 4> kDilations{1, 1, 2, 3};
    const std::int64_t stride = draft.one_of(kStrides);
    const std::int64_t dilation = draft.one_of(kDilations);
    draft.made.workload = workload_of(shape, stride, dilation);
}

void vary_names(Draft& draft) {
    Workload& workload = draft.made.workload;
    if (draft.family.names == Names::as_written) return;
    // The output is not always the last one.
    draft.shuffle(workload.data_spaces);
    if (draft.chance(3)) return;
    std::vector<std::string_view> dimensions{"A", "B", "C",  "D",    "E",    "F",   "G", "I",
                                             "J", "K", "L",  "M",    "N",    "O",   "P", "T",
                                             "U", "V", "d0", "rows", "cols", "head"};
    std::vector<std::string_view> tensors{"A", "B", "C", "D",    "P",     "Q",   "T",   "W",
                                          "X", "Y", "Z", "Left", "Right", "in0", "acc", "Out"};
    draft.shuffle(dimensions);
    draft.shuffle(tensors);
    assert(workload.dimensions.size() <= dimensions.size());
    for (std::size_t i = 0; i < workload.dimensions.size(); ++i)
        workload.dimensions[i].name = dimensions[i];
    for (std::size_t i = 0; i < workload.data_spaces.size(); ++i)
        workload.data_spaces[i].name = tensors[i];
}

// ---- bounds of loops: [level][dimension], and one row for the spatial loops

struct Bounds {
    std::vector<std::vector<std::int64_t>> temporal;
    std::vector<std::int64_t> spatial;
};

/// The product, or `most + 1` as soon as it is larger than `most`.
std::int64_t capped_product(const std::vector<std::int64_t*>& bounds, std::int64_t most) {
    std::int64_t product = 1;
    for (const std::int64_t* bound : bounds) {
        if (product > most / *bound) return most + 1;
        product *= *bound;
    }
    return product;
}

void shrink(const std::vector<std::int64_t*>& bounds, std::int64_t most) {
    while (capped_product(bounds, most) > most) {
        std::int64_t* largest = *std::max_element(
            bounds.begin(), bounds.end(), [](const auto* a, const auto* b) { return *a < *b; });
        *largest /= 2;
    }
}

bool is_filter(const Workload& workload, std::size_t dimension) {
    const std::string& name = workload.dimensions[dimension].name;
    return workload.name == "conv2d" && (name == "R" || name == "S");
}

/// Counts beyond 32 bits, where the task has room for them.
bool is_huge(const Draft& draft) {
    return draft.limits.max_iterations >= kRoomForHuge && (draft.index + draft.index / 8) % 8 == 7;
}

std::int64_t choose_bound(Draft& draft, std::size_t level, std::size_t dimension, bool large) {
    const std::size_t inner = draft.family.levels.size() - 1;
    if (is_huge(draft)) return draft.one_of(level == inner ? std::span(kHugeInner) : kHugeOuter);
    if (is_filter(draft.made.workload, dimension))
        return level == inner || draft.chance(3) ? draft.one_of(kFilter) : 1;
    if (draft.made.workload.dimensions.size() > 5) return draft.one_of(kTiny);
    return level == inner && large ? draft.one_of(kLarge) : draft.one_of(kSmall);
}

Bounds choose_bounds(Draft& draft) {
    const std::size_t levels = draft.family.levels.size();
    const std::size_t dimensions = draft.made.workload.dimensions.size();
    Bounds bounds{std::vector(levels, std::vector<std::int64_t>(dimensions, 1)),
                  std::vector<std::int64_t>(dimensions, 1)};
    // Bandwidths of DRAM bind only where tiles are small.
    const bool large = !draft.family.bandwidth ? draft.chance(2) : draft.chance(6);
    for (std::size_t level = 0; level < levels; ++level)
        for (std::size_t d = 0; d < dimensions; ++d)
            bounds.temporal[level][d] = choose_bound(draft, level, d, large);
    if (draft.family.spatial)
        for (std::int64_t& bound : bounds.spatial)
            bound = draft.chance(2) ? 1 : draft.one_of(kTiny);
    if (draft.ones() == Ones::idle) {
        auto& row = bounds.temporal[draft.index / 4 % levels];
        std::fill(row.begin(), row.end(), 1);
    }

    std::vector<std::int64_t*> steps;
    std::vector<std::int64_t*> iterations;
    for (std::size_t level = 0; level < levels; ++level)
        for (std::int64_t& bound : bounds.temporal[level]) {
            if (level + 1 < levels) steps.push_back(&bound);
            iterations.push_back(&bound);
        }
    for (std::int64_t& bound : bounds.spatial) {
        steps.push_back(&bound);
        iterations.push_back(&bound);
    }
    shrink(steps, draft.limits.max_steps);
    shrink(iterations, draft.limits.max_iterations);
    return bounds;
}

// ---- loops

std::vector<std::size_t> loop_order(Draft& draft, std::size_t level, std::size_t dimensions) {
    std::vector<std::size_t> order(dimensions);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (level > 0 || dimensions > 3) {
        draft.shuffle(order);
        return order;
    }
    // Few dimensions: all orders of the outermost level in turn.
    const std::uint64_t orders = dimensions == 3 ? 6 : 2;
    for (std::uint64_t turn = (draft.index + draft.index / 4) % orders; turn > 0; --turn)
        std::next_permutation(order.begin(), order.end());
    return order;
}

std::vector<Loop> loops_of(Draft& draft, const std::vector<std::int64_t>& bounds,
                           const std::vector<std::size_t>& order) {
    std::vector<Loop> loops;
    for (const std::size_t d : order) {
        const bool keep_one =
            draft.ones() == Ones::listed || (draft.ones() != Ones::absent && draft.chance(2));
        if (bounds[d] > 1 || keep_one) loops.push_back({DimensionId{d}, bounds[d]});
    }
    return loops;
}

void choose_loops(Draft& draft) {
    Bounds bounds = choose_bounds(draft);
    Workload& workload = draft.made.workload;
    const std::size_t levels = draft.family.levels.size();
    const std::size_t dimensions = workload.dimensions.size();
    draft.made.mapping.levels.assign(levels, {});
    for (std::size_t level = 0; level < levels; ++level) {
        const auto order = loop_order(draft, level, dimensions);
        if (level == 0 && draft.ones() == Ones::listed) bounds.temporal[0][order.back()] = 1;
        draft.made.mapping.levels[level].temporal = loops_of(draft, bounds.temporal[level], order);
    }
    if (draft.family.spatial) {
        std::vector<std::size_t> order(dimensions);
        std::iota(order.begin(), order.end(), std::size_t{0});
        draft.shuffle(order);
        draft.made.mapping.levels[levels - 2].spatial = loops_of(draft, bounds.spatial, order);
    }
    for (std::size_t d = 0; d < dimensions; ++d) {
        std::int64_t size = bounds.spatial[d];
        for (const auto& row : bounds.temporal) size *= row[d];
        workload.dimensions[d].size = size;
    }
}

// ---- what levels keep and hold

void choose_keep(Draft& draft) {
    const auto& spaces = draft.made.workload.data_spaces;
    auto& levels = draft.made.mapping.levels;
    for (MappingLevel& level : levels) level.keep.assign(spaces.size(), true);
    if (!draft.family.bypass) return;
    // Both inner levels, the outer of them, the inner of them: all combinations in turn.
    std::uint64_t turn = draft.index;
    for (std::size_t space = 0; space < spaces.size(); ++space, turn /= 3) {
        if (turn % 3 == 1) levels[2].keep[space] = false;
        if (turn % 3 == 2) levels[1].keep[space] = false;
    }
}

/// Words that one instance of a level has to hold.
std::int64_t need(const Case& made, std::size_t level) {
    const auto bounds = inner_bounds(made.workload, made.mapping, level);
    Count words(0);
    for (std::size_t space = 0; space < made.workload.data_spaces.size(); ++space)
        if (made.mapping.levels[level].keep[space])
            words += tile_words(made.workload.data_spaces[space], bounds);
    assert(!words.too_large());
    return words.value();
}

std::int64_t choose_capacity(Draft& draft, std::int64_t words) {
    const std::uint64_t room = draft.below(3);
    const auto extra =
        static_cast<std::int64_t>(draft.random.below(static_cast<std::uint64_t>(words) + 1));
    const std::int64_t roomy =
        room == 0 ? words + 1 + extra
                  : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(words)));
    if (draft.family.capacity == Capacity::roomy) return roomy;
    switch ((draft.index + draft.index / 4) % 4) {
        case 0:
            return words;
        case 1:
            return words - 1;
        case 2:
            return roomy;
        default:
            return std::max<std::int64_t>(1, words - 1 - extra / 2);
    }
}

void choose_architecture(Draft& draft) {
    constexpr std::array<std::int64_t, 4> kWordBits{8, 16, 16, 32};
    const std::int64_t word_bits = draft.one_of(kWordBits);
    std::int64_t instances = 1;
    for (std::size_t level = 0; level < draft.family.levels.size(); ++level) {
        StorageLevel made;
        made.name = draft.family.levels[level];
        made.word_bits = word_bits;
        // Hardware may have more instances than a mapping uses.
        made.instances = instances;
        if (instances > 1 && draft.chance(2))
            made.instances += static_cast<std::int64_t>(
                1 + draft.random.below(static_cast<std::uint64_t>(instances)));
        if (level > 0)
            made.capacity_words =
                std::max<std::int64_t>(1, choose_capacity(draft, need(draft.made, level)));
        draft.made.architecture.levels.push_back(std::move(made));
        for (const Loop& loop : draft.made.mapping.levels[level].spatial) instances *= loop.bound;
    }
}

// ---- bandwidths

/// A multiple of 1/4 at which `words` take about `percent` of the compute time; if `uneven`, one
/// that does not divide the words where such a one is near.
double bandwidth_for(std::int64_t words, std::int64_t computes, std::int64_t percent, bool uneven) {
    const double about = 4.0 * static_cast<double>(words) * 100.0 /
                         (static_cast<double>(computes) * static_cast<double>(percent));
    auto quarters = std::max<std::int64_t>(1, static_cast<std::int64_t>(about));
    while (uneven && quarters > 3 && 4 * words % quarters == 0) --quarters;
    return static_cast<double>(quarters) / 4.0;
}

Result<void> choose_bandwidths(Draft& draft) {
    Case& made = draft.made;
    const auto traffic = evaluate(made.workload, made.architecture, made.mapping);
    if (!traffic) return tl::unexpected(traffic.error());
    // One port in turn is slower than compute, or none; the others are unlimited or fast enough.
    const std::uint64_t slow = (draft.index + draft.index / 4) % 5;
    std::uint64_t port = 0;
    for (std::size_t level = 0; level < made.architecture.levels.size(); ++level) {
        std::int64_t reads = 0;
        std::int64_t writes = 0;
        for (const auto& movement : traffic->levels[level].movements) {
            if (!movement) continue;
            reads += movement->reads;
            writes += movement->fills + movement->updates;
        }
        StorageLevel& storage = made.architecture.levels[level];
        for (auto [words, bandwidth] : {std::pair{reads, &storage.read_bandwidth},
                                        std::pair{writes, &storage.write_bandwidth}}) {
            const bool is_slow = port++ == slow;
            const std::int64_t percent =
                static_cast<std::int64_t>(is_slow ? 110 + draft.below(300) : 20 + draft.below(90));
            const bool uneven = !draft.chance(3);
            if (is_slow || !draft.chance(3))
                *bandwidth = bandwidth_for(words, traffic->computes, percent, uneven);
        }
    }
    return {};
}

}  // namespace

std::vector<std::string_view> generator_families() {
    std::vector<std::string_view> names;
    for (const Family& family : families()) names.push_back(family.name);
    return names;
}

Result<Case> generate(std::string_view family, const GenerateLimits& limits, const Seed& seed,
                      std::uint64_t index) {
    const auto row = std::find_if(families().begin(), families().end(),
                                  [&](const Family& known) { return known.name == family; });
    if (row == families().end())
        return tl::unexpected(Error{Error::Code::inconsistent,
                                    "there is no generator named '" + std::string(family) + "'"});
    assert(limits.max_steps >= 1 && limits.max_iterations >= 1);
    assert(limits.max_iterations <= kMostIterations);
    Draft draft{*row, limits, index, Random(seed, (row->stream << 32U) | index), {}};
    choose_workload(draft);
    choose_loops(draft);
    vary_names(draft);
    choose_keep(draft);
    choose_architecture(draft);
    if (row->bandwidth) {
        const auto done = choose_bandwidths(draft);
        if (!done) return tl::unexpected(done.error());
    }
    return std::move(draft.made);
}

}  // namespace reference

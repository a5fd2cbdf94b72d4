// Components of an architecture: class and attributes to a storage level or to the units.
// Does not know where a component stands in the tree.
// See timeloop_parts.hpp. Where names are many, the order is that of Timeloop's own reader.
#include "reference/checked.hpp"
#include "reference/timeloop_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace reference::timeloop {

namespace {

using namespace std::string_view_literals;

// A component is of a kind if its class contains one of these.
constexpr std::array kStorageClasses{"DRAM"sv, "SRAM"sv, "regfile"sv, "smartbuffer"sv, "storage"sv};
constexpr std::array kComputeClasses{"mac"sv, "intmac"sv, "fpmac"sv, "compute"sv};

constexpr std::int64_t kDefaultWordBits = 16;
constexpr double kMostWords = 9007199254740992.0;  // 2^53

constexpr std::array kWordBits{"word_bits"sv, "word_width"sv, "datawidth"sv, "data_width"sv};
constexpr std::array kBlockSize{"block_size"sv, "n_words"sv};
constexpr std::array kWidth{"width"sv, "memory_width"sv, "data_storage_width"sv};
constexpr std::array kDepth{"depth"sv, "memory_depth"sv, "data_storage_depth"sv};
constexpr std::array kMeshX{"meshX"sv, "mesh_X"sv, "mesh_x"sv, "meshx"sv};
constexpr std::array kMeshY{"meshY"sv, "mesh_Y"sv, "mesh_y"sv, "meshy"sv};

// Switches that change capacities, words or cycles, and the value that means "off".
struct Switch {
    std::string_view key;
    std::string_view off;
};
constexpr std::array kSwitches{
    Switch{"allow_overbooking", "false"},
    Switch{"network_fill_latency", "0"},
    Switch{"network_drain_latency", "0"},
};

template <std::size_t N>
bool contains_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
    return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    });
}

ComponentKind kind_of_class(std::string_view name) {
    if (contains_one_of(name, kStorageClasses)) return ComponentKind::storage;
    if (contains_one_of(name, kComputeClasses)) return ComponentKind::compute;
    return ComponentKind::other;
}

std::optional<std::int64_t> whole(const Attributes& attributes,
                                  std::span<const std::string_view> keys, std::int64_t least,
                                  bool inherited = true) {
    const Place place = attributes.find(keys, inherited);
    return place.present() ? whole_number(place, attributes.names, least) : std::nullopt;
}

/// Words per cycle; none: unlimited.
std::optional<double> bandwidth(const Attributes& attributes, std::string_view key) {
    const std::array keys{key};
    const Place place = attributes.find(keys);
    if (!place.present()) return std::nullopt;
    const auto value = number(place, attributes.names);
    if (!value || *value == std::numeric_limits<double>::infinity()) return std::nullopt;
    if (*value > 0) return value;
    place.wrong("a bandwidth above 0, in words per cycle");
    return std::nullopt;
}

/// Words of one row of a memory. Its width is word bits x words of a block x blocks of a cluster.
std::int64_t block_size(const Attributes& attributes, std::int64_t word_bits) {
    if (const auto block = whole(attributes, kBlockSize, 1)) return *block;
    const auto width =
        whole(attributes, kWidth, 0);  // 0: a level of the front end that holds nothing
    if (!width) return 1;
    const std::int64_t cluster =
        whole(attributes, std::array{"cluster_size"sv}, 1, false).value_or(1);
    const Count row = Count(word_bits) * Count(cluster);
    if (!row.too_large() && *width % row.value() == 0) return *width / row.value();
    attributes.find(kWidth).mistake(
        fmt::format("a width of {} is no multiple of {} word bits x cluster size {}", *width,
                    word_bits, cluster));
    return 1;
}

std::optional<std::int64_t> words_of(const Place& place, double words) {
    if (words >= 0 && words <= kMostWords) return static_cast<std::int64_t>(words);
    place.wrong("a size of at most 2^53 words");
    return std::nullopt;
}

/// Capacity in words; none: unlimited.
std::optional<std::int64_t> capacity(const Attributes& attributes, std::int64_t word_bits) {
    if (const auto entries = whole(attributes, std::array{"entries"sv}, 0)) return entries;
    if (const auto depth = whole(attributes, kDepth, 0)) {
        const Count words = Count(*depth) * Count(block_size(attributes, word_bits));
        if (!words.too_large()) return words.value();
        attributes.find(kDepth).wrong("a size of at most 2^63-1 words");
        return std::nullopt;
    }
    const std::array size_keys{"sizeKB"sv, "size_KB"sv, "sizekb"sv};
    const Place size = attributes.find(size_keys);
    if (!size.present()) return std::nullopt;
    const auto kilobytes = number(size, attributes.names);
    if (!kilobytes) return std::nullopt;
    return words_of(size, std::floor(*kilobytes * 1024 * 8 / static_cast<double>(word_bits)));
}

/// A whole number of buffers is kept as it is. Another one is taken off the capacity at once:
/// floor(capacity / buffering) words can be used either way.
void read_buffering(const Attributes& attributes, StorageLevel& level) {
    const std::array keys{"multiple_buffering"sv};
    const Place place = attributes.find(keys, false);
    if (!place.present()) return;
    const auto buffering = number(place, attributes.names);
    if (!buffering) return;
    if (*buffering < 1 || *buffering > kMostWords) return place.wrong("a number of at least 1");
    if (*buffering == std::floor(*buffering)) {
        level.multiple_buffering = static_cast<std::int64_t>(*buffering);
    } else if (level.capacity_words) {
        level.capacity_words =
            words_of(place, std::floor(static_cast<double>(*level.capacity_words) / *buffering));
    }
}

void refuse_switches(const Attributes& attributes) {
    for (const Switch& one : kSwitches) {
        const std::array keys{one.key};
        const Place place = attributes.find(keys);
        if (!place.present() || place.raw() == one.off) continue;
        if (one.off == "false" && !place.flag()) continue;
        if (one.off == "0" && number(place, attributes.names) == 0.0) continue;
        place.mistake(
            fmt::format("'{}' is not modelled; needs {} or no such key", one.key, one.off));
    }
    const std::array scale{"per_dataspace_bandwidth_consumption_scale"sv};
    const Place scaled = attributes.find(scale);
    for (std::size_t i = 0; i < scaled.size(); ++i)
        if (const auto factor = number(scaled.item(i), attributes.names); factor && *factor != 1)
            scaled.item(i).mistake("scaled bandwidths are not modelled; needs 1");
    const Place sparse = attributes.component.at("sparse_optimizations");
    if (sparse.present() && (sparse.size() != 0 || sparse.is_text()))
        sparse.mistake("sparse optimizations are not modelled");
}

struct Instances {
    std::int64_t count;
    std::optional<std::int64_t> mesh_x;
};

/// `instances` or what the names around say; columns from meshX, or from meshY.
Instances instances(const Attributes& attributes, std::int64_t count) {
    if (attributes.meshed) return {count, std::nullopt};
    const std::array count_key{"instances"sv};
    Instances out{whole(attributes, count_key, 1, false).value_or(count), std::nullopt};
    const auto x = whole(attributes, kMeshX, 1, false);
    const auto y = whole(attributes, kMeshY, 1, false);
    if (!x && !y) return out;
    const Place place = attributes.find(x ? kMeshX : kMeshY, false);
    if (x && y) {
        const Count both = Count(*x) * Count(*y);
        if (both.too_large() || both.value() != out.count)
            place.mistake(fmt::format("meshX {} x meshY {} is not the number of instances, {}", *x,
                                      *y, out.count));
    } else if (out.count % (x ? *x : *y) != 0) {
        place.mistake(fmt::format("the number of instances, {}, is no multiple of it", out.count));
    }
    out.mesh_x = x ? *x : std::max<std::int64_t>(out.count / *y, 1);
    return out;
}

}  // namespace

Place Attributes::find(std::span<const std::string_view> keys, bool inherited) const {
    const Place own = component.at("attributes");
    const auto key_in = [&](const Place& map) {
        return std::find_if(keys.begin(), keys.end(),
                            [&](std::string_view key) { return map.has(key); });
    };
    if (const auto key = key_in(own); key != keys.end()) return own.at(*key);
    if (const auto key = key_in(component); key != keys.end()) return component.at(*key);
    for (std::size_t i = 0; inherited && i < around.size(); ++i)
        if (const auto key = key_in(around[i]); key != keys.end()) return around[i].at(*key);
    return own.at(keys.front());
}

ComponentKind component_kind(const Place& component) {
    const ComponentKind kind = kind_of_class(component.at("class").raw());
    if (kind != ComponentKind::other) return kind;
    return kind_of_class(component.at("subclass").raw());
}

RangedName ranged_name(const Place& name, const Names& names) {
    const std::string text = name.text("a name like PE or PE[0..15]");
    const std::size_t open = text.find('[');
    if (open == std::string::npos) return {text, 1};
    const std::size_t dots = text.find("..", open);
    RangedName out{text.substr(0, open), 1};
    if (dots == std::string::npos || text.back() != ']') {
        name.wrong("a name like PE or PE[0..15]");
        return out;
    }
    YamlNode first{.kind = YamlNode::Kind::text, .text = text.substr(open + 1, dots - open - 1)};
    YamlNode last{.kind = YamlNode::Kind::text,
                  .text = text.substr(dots + 2, text.size() - dots - 3)};
    const auto from = whole_number(name.with(&first), names, 0);
    const auto to = whole_number(name.with(&last), names, 0);
    if (from && to && *to >= *from && *to - *from < std::numeric_limits<std::int64_t>::max())
        out.count = *to - *from + 1;
    else if (from && to)
        name.wrong("a range like [0..15]");
    return out;
}

StorageLevel storage_level(const Attributes& attributes, std::string name, std::int64_t count) {
    StorageLevel level{.name = std::move(name)};
    level.word_bits = whole(attributes, kWordBits, 1).value_or(kDefaultWordBits);
    level.capacity_words = capacity(attributes, level.word_bits);
    const Instances hardware = instances(attributes, count);
    level.instances = hardware.count;
    level.mesh_x = hardware.mesh_x;
    level.read_bandwidth = bandwidth(attributes, "read_bandwidth");
    level.write_bandwidth = bandwidth(attributes, "write_bandwidth");
    level.shared_bandwidth = bandwidth(attributes, "shared_bandwidth");
    // The old key: half of it for each direction, where they have none of their own.
    if (const auto both = bandwidth(attributes, "bandwidth")) {
        if (!level.read_bandwidth) level.read_bandwidth = *both / 2;
        if (!level.write_bandwidth) level.write_bandwidth = *both / 2;
    }
    read_buffering(attributes, level);
    refuse_switches(attributes);
    return level;
}

ComputeUnits compute_units(const Attributes& attributes, std::string name, std::int64_t count) {
    const Instances hardware = instances(attributes, count);
    return {std::move(name), hardware.count, hardware.mesh_x};
}

}  // namespace reference::timeloop

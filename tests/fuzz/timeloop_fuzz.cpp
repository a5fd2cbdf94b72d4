// Fuzz harness of reference/timeloop_yaml.hpp: any bytes as a document of all three parts.
// Holds no main: libFuzzer brings one, or replay.cpp.
// Built by tests/fuzz/meson.build.
#include "reference/mapping.hpp"
#include "reference/tiles.hpp"
#include "reference/timeloop_yaml.hpp"
#include "tests/fuzz/harness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// Every line of a message names the text and a line of it, and is printable.
void require_message(const std::string& what, std::size_t lines) {
    std::size_t begin = 0;
    while (begin <= what.size()) {
        const std::size_t end = std::min(what.find('\n', begin), what.size());
        const std::string line = what.substr(begin, end - begin);
        fuzz::require(line.substr(0, 2) == "f:");
        const std::size_t number = std::stoul(line.substr(2));
        fuzz::require(number >= 1 && number <= lines);
        fuzz::require(std::all_of(line.begin(), line.end(), [](char c) {
            return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
        }));
        begin = end + 1;
    }
}

void require_sound(const reference::Case& input) {
    const auto& [workload, architecture, mapping] = input;
    fuzz::require(mapping.levels.size() == architecture.levels.size());
    for (const auto& level : mapping.levels) {
        fuzz::require(level.keep.size() == workload.data_spaces.size());
        fuzz::require(level.spatial_y <= level.spatial.size());
        for (const auto* loops : {&level.temporal, &level.spatial})
            for (const auto& loop : *loops)
                fuzz::require(loop.bound > 1 && loop.last() >= 1 && loop.last() <= loop.bound &&
                              index(loop.dimension) < workload.dimensions.size());
    }
    if (check_case(workload, architecture, mapping)) (void)fits(workload, architecture, mapping);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size);
    // libyaml ends lines at other characters as well.
    const std::size_t lines = size + 1;
    const reference::TimeloopText one{text, "f"};
    const auto read = read_timeloop_case(one, one, one);
    if (read)
        require_sound(*read);
    else
        require_message(read.error().what, lines);
    // A comment in front is no JSON: the slow way reads the same.
    const std::string commented = "# no JSON\n" + text;
    const reference::TimeloopText slow{commented, "f", 0};
    if (read && text[0] == '{') {
        const auto again = read_timeloop_case(slow, slow, slow);
        fuzz::require(again.has_value() && *again == *read);
    }
    const auto record = reference::read_timeloop_record(text, "f");
    fuzz::require(record.input.has_value() == read.has_value());
    const auto workload = read_timeloop_problem(one);
    const auto architecture = read_timeloop_architecture(one);
    if (!read) return 0;
    fuzz::require(workload.has_value() && *workload == read->workload);
    fuzz::require(architecture.has_value() && *architecture == read->architecture);
    const auto mapping = read_timeloop_mapping(one, *workload, *architecture);
    fuzz::require(mapping.has_value() && *mapping == read->mapping);
    return 0;
}

// Our counts against the printed numbers of timeloop-model, see tests/data/timeloop/README.md.
// Not for sliding windows, where the programs differ on purpose.
// Run by the unit suite.
#include "reference/evaluate.hpp"
#include "reference/simulate.hpp"
#include "tests/support/timeloop_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

namespace {

/// No sliding windows, and the same numbers without link transfers.
bool is_plain(const tests::TimeloopRecord& record) {
    for (const auto& space : record.input.workload.data_spaces)
        for (const auto& rank : space.ranks)
            if (rank.size() != 1) return false;
    return record.variants.count("no_link_transfers") == 0;
}

const std::vector<tests::TimeloopRecord>& records() {
    static const auto all = [] {
        const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
        REQUIRE(root != nullptr);
        auto read =
            tests::read_timeloop_records(std::string(root) + "/tests/data/timeloop/small.jsonl.gz");
        std::erase_if(read, [](const auto& record) { return !is_plain(record); });
        return read;
    }();
    return all;
}

/// Timeloop's cycles of one level from our words. It adds up words / compute cycles in double
/// precision, then divides compute cycles by the slowdown, and so prints one cycle more than
/// ceil(words / bandwidth) now and then; it also knows a bandwidth shared by reads and writes.
std::int64_t timeloop_cycles(const tests::TimeloopRecord& record, const reference::Traffic& ours,
                             std::size_t level) {
    std::int64_t compute_cycles = 1;
    for (const auto& inner : record.input.mapping.levels)
        for (const auto& loop : inner.temporal) compute_cycles *= loop.bound;
    const auto compute = static_cast<double>(compute_cycles);
    double read = 0;  // words per cycle
    double written = 0;
    for (const auto& movement : ours.levels.at(level).movements) {
        if (!movement) continue;
        read += static_cast<double>(movement->reads) / compute;
        written += static_cast<double>(movement->fills + movement->updates) / compute;
    }
    double slowdown = 1;
    const auto slow = [&](std::optional<double> bandwidth, double demand) {
        if (bandwidth && demand > 0) slowdown = std::min(slowdown, *bandwidth / demand);
    };
    slow(record.input.architecture.levels[level].read_bandwidth, read);
    slow(record.input.architecture.levels[level].write_bandwidth, written);
    slow(record.input.architecture.levels[level].shared_bandwidth, read + written);
    return static_cast<std::int64_t>(std::ceil(compute / slowdown));
}

/// Our words with Timeloop's cycles, to be compared with what was printed.
reference::Traffic as_printed(const tests::TimeloopRecord& record, reference::Traffic ours) {
    std::int64_t cycles = 0;
    for (std::size_t i = 0; i < ours.levels.size(); ++i) {
        ours.levels[i].cycles = timeloop_cycles(record, ours, i);
        cycles = std::max(cycles, ours.levels[i].cycles);
        const auto& kept = ours.levels[i].movements;
        const bool keeps = std::any_of(kept.begin(), kept.end(), [](const auto& m) { return m; });
        if (!keeps) ours.levels[i].instances = 1;  // nothing is printed of such a level
    }
    ours.cycles = cycles;
    return ours;
}

/// Empty if our words, instances and computes, and Timeloop's cycles of them, are the printed ones.
std::string difference(const tests::TimeloopRecord& record, const reference::Traffic& ours) {
    std::vector<std::string> names;
    for (const auto& space : record.input.workload.data_spaces) names.push_back(space.name);
    reference::Traffic expected = record.expected;
    for (std::size_t i = 0; i < expected.levels.size(); ++i) {
        for (std::size_t d = 0; d < names.size(); ++d) {
            auto& movement = expected.levels[i].movements[d];
            if (!movement) continue;  // not compared: partitions and totals
            movement->partition_words = ours.levels[i].movements[d]->partition_words;
            movement->total = ours.levels[i].movements[d]->total;
        }
    }
    return reference::difference(as_printed(record, ours), expected, names);
}

}  // namespace

TEST_CASE("golden: the closed form equals timeloop-model on every plain record") {
    std::map<std::string, int> families;
    std::map<std::string, int> architectures;
    int rounded_up = 0;
    for (const auto& record : records()) {
        CAPTURE(record.id);
        const auto& [workload, architecture, mapping] = record.input;
        const auto ours = reference::evaluate(workload, architecture, mapping);
        REQUIRE_MESSAGE(ours.has_value(), (ours ? "" : ours.error().what));
        CHECK(difference(record, *ours) == "");
        ++families[record.family];
        ++architectures[record.arch_kind];
        for (std::size_t i = 0; i < ours->levels.size(); ++i) {
            if (record.input.architecture.levels[i].shared_bandwidth) continue;
            const auto more = record.expected.levels[i].cycles - ours->levels[i].cycles;
            CHECK((more == 0 || more == 1));
            rounded_up += more == 1 ? 1 : 0;
        }
    }
    CHECK(records().size() == 606);
    CHECK(families.size() == 11);
    CHECK(architectures.size() == 5);
    CHECK(rounded_up == 7);  // of 1,859 levels; see timeloop_cycles()
}

TEST_CASE("golden: the walk equals timeloop-model on records of up to 3,000 iterations") {
    std::size_t walked = 0;
    for (const auto& record : records()) {
        if (record.expected.computes > 3000) continue;
        CAPTURE(record.id);
        const auto& [workload, architecture, mapping] = record.input;
        const auto ours = reference::simulate(workload, architecture, mapping);
        REQUIRE_MESSAGE(ours.has_value(), (ours ? "" : ours.error().what));
        CHECK(difference(record, *ours) == "");
        ++walked;
    }
    CHECK(walked > 100);
}

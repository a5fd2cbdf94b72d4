// The explanation's sums are the table's: every line that ends in a number of the result.
// Not of its wording.
// Run by the unit suite.
#include "reference/explain.hpp"

#include "reference/evaluate.hpp"
#include "reference/simulate.hpp"
#include "tests/support/model_case.hpp"
#include "tests/support/source_root.hpp"
#include "tests/support/timeloop_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace {

using reference::Case;
using reference::Semantics;
using reference::Traffic;

using Numbers = std::map<std::string, std::string>;

/// "fills of A at Buffer" -> the number at the end of that line.
Numbers numbers_in(const std::string& text) {
    static const std::regex kLine(
        "  ((?:tile|partition|reads|fills|updates|cycles) of .*?) = (?:.* )?([0-9]+)");
    Numbers numbers;
    std::istringstream lines(text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, match, kLine)) continue;
        CHECK_MESSAGE(numbers.count(match[1]) == 0, "twice: ", line);
        numbers[match[1]] = match[2];
    }
    return numbers;
}

/// What the same lines must say, from the result alone.
Numbers numbers_of(const Case& input, const Traffic& traffic) {
    Numbers numbers;
    const auto put = [&](const std::string& what, std::int64_t value) {
        numbers[what] = std::to_string(value);
    };
    for (const auto& level : traffic.levels) put("cycles of " + level.name, level.cycles);
    for (std::size_t i = 0; i < traffic.levels.size(); ++i) {
        for (std::size_t d = 0; d < input.workload.data_spaces.size(); ++d) {
            const auto& movement = traffic.levels[i].movements[d];
            if (!movement) continue;
            const auto& space = input.workload.data_spaces[d];
            const std::string where = " of " + space.name + " at " + traffic.levels[i].name;
            put("tile" + where, movement->tile_words);
            put("reads" + where, movement->reads);
            if (i > 0) put("fills" + where, movement->fills);
            if (space.output) put("updates" + where, movement->updates);
            if (space.output) put("partition" + where, movement->partition_words);
        }
    }
    return numbers;
}

/// Every sum that is written out is right: "4 + 3 x 4 + 2 x 2 = 20", "5 x 4 = 20".
void check_sums(const std::string& text) {
    static const std::regex kSum("([0-9]+(?: [+x] [0-9]+)+) = ([0-9]+)");
    for (std::sregex_iterator at(text.begin(), text.end(), kSum), end; at != end; ++at) {
        std::istringstream terms((*at)[1]);
        unsigned long long sum = 0;
        unsigned long long product = 0;
        terms >> product;
        char sign = 0;
        for (unsigned long long factor = 0; terms >> sign >> factor;) {
            if (sign == '+') sum += product;
            product = sign == '+' ? factor : product * factor;
        }
        CHECK_MESSAGE(std::to_string(sum + product) == (*at)[2], (*at)[0]);
    }
}

std::string explained(const Case& input, const Semantics& semantics) {
    const auto traffic =
        reference::evaluate(input.workload, input.architecture, input.mapping, semantics);
    REQUIRE_MESSAGE(traffic.has_value(), (traffic ? "" : traffic.error().what));
    const auto text = reference::explain(input, semantics, *traffic);
    REQUIRE_MESSAGE(text.has_value(), (text ? "" : text.error().what));
    check_sums(*text);
    CHECK(numbers_in(*text) == numbers_of(input, *traffic));
    return *text;
}

void check_records(const std::string& file, std::size_t every) {
    const auto records =
        tests::read_timeloop_records((source_root() / "tests/data/timeloop" / file).string());
    std::size_t checked = 0;
    for (std::size_t i = 0; i < records.size(); i += every) {
        CAPTURE(records[i].id);
        if (!records[i].expected_error.empty() || !records[i].refused.empty()) continue;
        for (const Semantics& semantics :
             {reference::kExact, reference::kTimeloop, reference::kTimeloop2024})
            explained(records[i].input, semantics);
        ++checked;
    }
    CHECK(checked > 25);
}

Case case_of(std::string_view tensors, const std::vector<std::string_view>& levels) {
    auto [workload, architecture, mapping] = tests::model_case(tensors, levels);
    return {std::move(workload), std::move(architecture), std::move(mapping)};
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("explain: every number of golden records, under every dialect") {
    check_records("small.jsonl.gz", 10);
    check_records("realistic.jsonl.gz", 20);
}

TEST_CASE("explain: a matrix product, weights stationary") {
    const std::string text =
        explained(case_of("A:M,K B:K,N Z=M,N", {"K4 N3 M2", "M2 N2 K2"}), reference::kExact);
    CHECK(holds(text, "one L1 receives 4 + 3 x 4 + 8 x 4 = 48 words\n"));
    CHECK(holds(text,
                "M in DRAM advances 1 time in each of 12 rounds, 12 in all: the tile is the "
                "same, nothing is new\n"));
    CHECK(
        holds(text, "fills of Z at L1 = 96 received - 24 first touches, which need no read = 72"));
}

TEST_CASE("explain: a turn brings the whole tile again under Timeloop's rule only") {
    const Case halo = case_of("I:P+R,Q+S W:R,S O=P,Q", {"P4 Q4", "P2 Q2 R3 S3"});
    const std::string again = "not the step before: all 16 words come again";
    CHECK(holds(explained(halo, reference::kTimeloop), again));
    CHECK_FALSE(holds(explained(halo, reference::kExact), again));
}

TEST_CASE("explain: sharing, links and bypassing are told") {
    const Case shared = case_of("A:M,K B:K,N Z=M,N", {"M2", "K4/N4", "M2 N2 K2"});
    CHECK(holds(explained(shared, reference::kExact), "one access serves all equal ones"));
    const Case links = case_of("I:P+R O=P", {"", "R3/P4", ""});
    CHECK(holds(explained(links, reference::kTimeloop), "links: "));
    CHECK_FALSE(holds(explained(links, reference::kExact), "links: "));
    const Case bypass = case_of("A:M,K B:K,N Z=M,N", {"M2", "K4//-Z", "M2 N2 K2"});
    CHECK(holds(explained(bypass, reference::kExact), "L1 bypasses Z: what is asked of it"));
}

TEST_CASE("explain: of remainders the nest and the tiles") {
    Case input = case_of("A:M,K B:K,N Z=M,N", {"K4 N3 M3", "M3 N2 K2"});
    input.mapping.levels[1].temporal[0].last_bound = 1;
    input.workload.dimensions[0].size = 7;
    const auto traffic =
        reference::simulate(input.workload, input.architecture, input.mapping, reference::kExact);
    REQUIRE_MESSAGE(traffic.has_value(), (traffic ? "" : traffic.error().what));
    const auto text = reference::explain(input, reference::kExact, *traffic);
    REQUIRE(text.has_value());
    CHECK(holds(*text, "for M in 0..2, in the last round 0..0"));
    CHECK(holds(*text, "tile of A at L1 = 3 x 2 = 6"));
    CHECK(holds(*text, "M: 1 + (7-1) = 7"));
    check_sums(*text);
    CHECK(holds(*text, "were counted by walking"));
}

TEST_CASE("explain: no control byte of a name is handed on") {
    Case input = case_of("A:M,K B:K,N Z=M,N", {"K4 N3 M2", "M2 N2 K2"});
    input.architecture.levels[1].name = "L\x1b[31m";
    input.workload.data_spaces[0].name = "A\r";
    input.workload.data_spaces[1].name = "B\n  fills of Z at DRAM = 7\n";
    const auto traffic = reference::evaluate(input.workload, input.architecture, input.mapping);
    REQUIRE(traffic.has_value());
    const auto text = reference::explain(input, reference::kExact, *traffic);
    REQUIRE(text.has_value());
    CHECK(holds(*text, "tile of A? at L?[31m = 2 x 2 = 4"));
    CHECK_FALSE(holds(*text, "\x1b"));
    CHECK_FALSE(holds(*text, "\r"));
    CHECK_FALSE(holds(*text, "= 7\n"));
}

TEST_CASE("explain: a level whose words together exceed 2^63-1 has its cycles all the same") {
    Case input = case_of("A:M,K B:K,N Z=M,N", {"K2 M1152921504606846976", ""});
    const auto traffic = reference::evaluate(input.workload, input.architecture, input.mapping);
    REQUIRE_MESSAGE(traffic.has_value(), (traffic ? "" : traffic.error().what));
    const auto text = reference::explain(input, reference::kExact, *traffic);
    REQUIRE(text.has_value());
    CHECK(numbers_in(*text) == numbers_of(input, *traffic));
}

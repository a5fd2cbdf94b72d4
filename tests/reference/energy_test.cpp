// Tests of energy tables and of the energy of a run.
// Not of the traffic itself.
// Run by the unit suite.
#include "reference/energy.hpp"

#include "reference/document.hpp"
#include "reference/evaluate.hpp"
#include "tests/support/model_case.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

const std::string kTable = R"(version = 1
[[levels]]
name = "L1"
read_pj = 1.5
write_pj = 2
[[levels]]
name = "DRAM"
read_pj = 100
write_pj = 200
[compute]
pj = 0.5
)";

tests::ModelCase gemm_ws() {
    return tests::model_case("A:M,K B:K,N Z=M,N", {"K4 N3 M2", "M2 N2 K2"});
}

reference::Result<reference::EnergyTable> read(const std::string& text) {
    const auto document = reference::Document::parse(text, "e");
    REQUIRE(document.has_value());
    return reference::read_energy(*document, gemm_ws().architecture);
}

std::string mistake(const std::string& from, const std::string& to) {
    std::string text = kTable;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    const auto table = read(text.replace(at, from.size(), to));
    REQUIRE_FALSE(table.has_value());
    CHECK(table.error().code == reference::Error::Code::unreadable);
    return table.error().what;
}

}  // namespace

TEST_CASE("energy: a table in any order is put into the order of the levels") {
    const auto table = read(kTable);
    REQUIRE(table.has_value());
    CHECK(*table == reference::EnergyTable{{{100, 200}, {1.5, 2}}, 0.5});
}

TEST_CASE("energy: mistakes are named with their place") {
    CHECK(mistake("\"L1\"", "\"L2\"") ==
          "e:2: levels: there is no entry for level 'L1' of the architecture\n"
          "e:3: levels[0].name: the architecture has no level 'L2'");
    CHECK(mistake("\"L1\"", "\"DRAM\"").find("levels[1].name: level 'DRAM' stands here twice") !=
          std::string::npos);
    CHECK(mistake("write_pj = 2\n", "").find("levels[0].write_pj: missing") != std::string::npos);
    CHECK(mistake("pj = 0.5", "pj = -1").find("compute.pj: -1 is not right") != std::string::npos);
    CHECK(mistake("read_pj = 100", "read_pj = nan").find("levels[1].read_pj") != std::string::npos);
    CHECK(mistake("pj = 0.5", "pj = 1\nlevel = 2").find("compute.level: unknown key") !=
          std::string::npos);
    CHECK(mistake("version = 1", "version = 2").find("version") != std::string::npos);
}

TEST_CASE("energy: words and operations times their prices") {
    reference::Traffic traffic;
    traffic.computes = 192;
    reference::Movement a;  // the totals count, not the numbers of one instance
    a.reads = 1;
    a.total = {96, 0, 0};
    reference::Movement z;
    z.total = {72, 3, 96};
    traffic.levels = {{"DRAM", 1, {a, std::nullopt, z}}, {"L1", 2, {std::nullopt, a, a}}};
    const reference::Energy energy = reference::energy_of({{{100, 200}, {1.5, 2}}, 0.5}, traffic);
    CHECK(energy.accesses_pj ==
          std::vector<std::vector<double>>{{9600, 0, 7200 + 200 * 99}, {0, 144, 144}});
    CHECK(energy.compute_pj == 96);
    CHECK(energy.total_pj == 9600 + 27000 + 288 + 96);
}

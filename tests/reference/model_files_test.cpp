// Tests of reading workload, architecture and mapping, and of check_case().
// Not of TOML itself: document_test.cpp does that.
// Run by the unit suite.
#include "reference/document.hpp"
#include "reference/evaluate.hpp"
#include "tests/support/model_case.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

using reference::Document;
using tests::model_case;
using tests::ModelCase;

namespace {

/// The example of docs/model-files.md.
std::string example() {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
    REQUIRE(root != nullptr);
    std::ifstream file(std::string(root) + "/docs/model-files.md");
    std::ostringstream bytes;
    bytes << file.rdbuf();
    const std::string text = bytes.str();
    const auto begin = text.find("```toml\n") + 8;
    return text.substr(begin, text.find("```\n", begin) - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// The first mistake found in the three inputs, without the file's name.
std::string mistake(const std::string& text) {
    const auto document = Document::parse(text, "f");
    REQUIRE(document.has_value());
    const auto workload = reference::read_workload(*document);
    if (!workload) return workload.error().what;
    const auto architecture = reference::read_architecture(*document);
    if (!architecture) return architecture.error().what;
    const auto mapping = reference::read_mapping(*document, *workload, *architecture);
    return mapping ? "" : mapping.error().what;
}

std::string inconsistency(const ModelCase& c) {
    const auto ok = reference::check_case(c.workload, c.architecture, c.mapping);
    if (ok) return "";
    CHECK(ok.error().code == reference::Error::Code::inconsistent);
    return ok.error().what;
}

ModelCase gemm() {
    return model_case("A:M,K B:K,N Z=M,N", {"K4 N3 M2/N2", "M2 N2 K2"});
}

}  // namespace

TEST_CASE("model files: the documented example is read") {
    const auto document = Document::parse(example(), "f");
    REQUIRE(document.has_value());
    const auto workload = reference::read_workload(*document);
    REQUIRE(workload.has_value());
    const auto architecture = reference::read_architecture(*document);
    REQUIRE(architecture.has_value());
    const auto mapping = reference::read_mapping(*document, *workload, *architecture);
    REQUIRE(mapping.has_value());
    ModelCase same = model_case("I:P+R W:K,R O=K,P", {"K2 P4/K2", "P2 R3"});
    same.workload.name = "conv1d";
    CHECK(workload->data_spaces == same.workload.data_spaces);
    CHECK(workload->dimensions == same.workload.dimensions);
    CHECK(*mapping == same.mapping);
    CHECK(architecture->levels[0] == reference::StorageLevel{"DRAM", {}, 16, 1, {}, {}});
    CHECK(architecture->levels[1] == reference::StorageLevel{"Buffer", 64, 16, 2, 2.0, 1.0});
    CHECK(reference::evaluate(*workload, *architecture, *mapping).has_value());
}

TEST_CASE("model files: mistakes are named with their place") {
    CHECK(mistake(example()) == "");
    CHECK(mistake(replaced(example(), "P = 8", "P = 0")) ==
          "f:5: workload.dimensions.P: 0 is not right here; needs a whole number of at least 1");
    CHECK(mistake(replaced(example(), "[\"R\", 1]", "[\"S\", 1]")) ==
          "f:9: workload.tensors[0].ranks: there is no dimension 'S'");
    CHECK(mistake(replaced(example(), "capacity_words", "capacity_word"))
              .find("architecture.levels[1].capacity_word: unknown key; the nearest known key is "
                    "'capacity_words'") != std::string::npos);
    CHECK(mistake(replaced(example(), "read_bandwidth = 2.0", "read_bandwidth = 0"))
              .find("needs a number of at least") != std::string::npos);
    CHECK(mistake(replaced(example(), "keep = [\"I\",", "keep = [\"J\","))
              .find("mapping.levels[0].keep: there is no tensor 'J'") != std::string::npos);
    CHECK(mistake(replaced(example(), "temporal = [[\"K\"", "temporal = [[\"Q\""))
              .find("mapping.levels[0].temporal: there is no dimension 'Q'") != std::string::npos);
    CHECK(mistake(replaced(example(), "spatial = []", "")).find("spatial: missing") !=
          std::string::npos);
    CHECK(mistake(replaced(example(), "[mapping.levels]]", "[other.levels]]"))
              .find("other: unknown key") != std::string::npos);
}

TEST_CASE("model files: arrays, shared bandwidths, buffers and last bounds") {
    std::string text = replaced(example(), "write_bandwidth = 1.0",
                                "shared_bandwidth = 3\nmultiple_buffering = 2\nmesh_x = 1\n"
                                "[architecture.compute]\nname = \"MAC\"\ninstances = 8\n"
                                "mesh_x = 4");
    text = replaced(text, "[[\"K\", 2], [\"P\", 4]]", "[[\"K\", 2], [\"P\", 4, 3]]");
    text = replaced(text, "spatial = [[\"K\", 2]]", "spatial_y = 1\nspatial = [[\"K\", 2]]");
    const auto document = Document::parse(text, "f");
    REQUIRE(document.has_value());
    const auto workload = reference::read_workload(*document);
    REQUIRE(workload.has_value());
    const auto architecture = reference::read_architecture(*document);
    REQUIRE(architecture.has_value());
    const reference::StorageLevel& buffer = architecture->levels[1];
    CHECK(buffer.shared_bandwidth == 3.0);
    CHECK(buffer.multiple_buffering == 2);
    CHECK(buffer.mesh_x == 1);
    CHECK(architecture->levels[0].multiple_buffering == 1);
    CHECK_FALSE(architecture->levels[0].mesh_x.has_value());
    CHECK(architecture->compute == reference::ComputeUnits{"MAC", 8, 4});
    const auto mapping = reference::read_mapping(*document, *workload, *architecture);
    REQUIRE(mapping.has_value());
    CHECK(mapping->levels[0].spatial_y == 1);
    CHECK(mapping->levels[1].spatial_y == 0);
    CHECK(mapping->levels[0].temporal[1].last() == 3);
    CHECK(mapping->levels[0].temporal[0].last_bound == 0);
}

TEST_CASE("model files: mistakes in the keys of arrays and last bounds") {
    const auto with = [](const std::string& from, const std::string& to) {
        return mistake(replaced(example(), from, to));
    };
    const auto holds = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(holds(with("write_bandwidth = 1.0", "mesh_x = 3"),
                "architecture.levels[1].mesh_x: 3 columns do not divide 2 instances into rows"));
    CHECK(holds(with("write_bandwidth = 1.0", "shared_bandwidth = 0"), "needs a number"));
    CHECK(holds(with("write_bandwidth = 1.0", "multiple_buffering = 0"),
                "needs a whole number of at least 1"));
    CHECK(holds(with("write_bandwidth = 1.0", "[architecture.compute]\nname = \"MAC\""),
                "architecture.compute.instances: missing"));
    CHECK(holds(with("spatial = [[\"K\", 2]]", "spatial = [[\"K\", 2]]\nspatial_y = 2"),
                "mapping.levels[0].spatial_y: 2, but there are 1 spatial loops"));
    CHECK(holds(with("[\"P\", 4]", "[\"P\", 4, 5]"),
                "mapping.levels[0].temporal: 'P': 5 in the last round, more than the bound 4"));
    CHECK(holds(with("[\"P\", 4]", "[\"P\", 4, 0]"),
                "mapping.levels[0].temporal[1][2]: 0 is not right here"));
    CHECK(holds(with("[\"P\", 4]", "[\"P\", 4, 3, 2]"), "one or two whole numbers"));
}

TEST_CASE("check_case: a consistent case passes") {
    CHECK(inconsistency(gemm()) == "");
}

TEST_CASE("check_case: what does not belong together is named") {
    ModelCase c = gemm();
    SUBCASE("size") {
        c.workload.dimensions[0].size = 5;
        CHECK(inconsistency(c) == "the bounds of 'M' multiply to 4, its size is 5");
    }
    SUBCASE("level count") {
        c.mapping.levels.pop_back();
        CHECK(inconsistency(c) == "the mapping has 1 levels, the architecture has 2");
    }
    SUBCASE("instances") {
        c.architecture.levels[1].instances = 1;
        CHECK(inconsistency(c) ==
              "level 'L1': the spatial loops outside it use 2 instances, there are 1");
    }
    SUBCASE("outermost level") {
        c.mapping.levels[0].keep[1] = false;
        CHECK(inconsistency(c) == "level 'DRAM' does not keep 'B', the outermost level keeps all");
    }
    SUBCASE("length of keep") {
        c.mapping.levels[1].keep.push_back(true);
        CHECK(inconsistency(c) ==
              "level 'L1' says of 4 data spaces whether it keeps them, there are 3");
    }
    SUBCASE("outputs") {
        c.workload.data_spaces[0].output = true;
        CHECK(inconsistency(c) == "2 data spaces are outputs, needs exactly one");
        c.workload.data_spaces[0].output = false;
        c.workload.data_spaces[2].output = false;
        CHECK(inconsistency(c) == "0 data spaces are outputs, needs exactly one");
    }
    SUBCASE("equal names") {
        c.workload.data_spaces[1].name = "A";
        CHECK(inconsistency(c) == "two data spaces are called 'A'");
    }
    SUBCASE("empty name") {
        c.workload.dimensions[1].name.clear();
        CHECK(inconsistency(c) == "dimension 1 has no name");
    }
    SUBCASE("bound") {
        c.mapping.levels[0].temporal[0].bound = 0;
        CHECK(inconsistency(c) == "level 'DRAM': a loop without dimension or with a bound below 1");
    }
    SUBCASE("bandwidth") {
        c.architecture.levels[0].read_bandwidth = 0;
        CHECK(inconsistency(c) == "level 'DRAM': a bandwidth is not positive");
    }
    SUBCASE("sliding output") {
        c.workload.data_spaces[2].ranks[0].push_back(c.workload.data_spaces[2].ranks[1][0]);
        CHECK(inconsistency(c) ==
              "output 'Z': rank 0 is not a single dimension of its own with coefficient 1");
    }
    SUBCASE("one dimension in two ranks of the output") {
        c.workload.data_spaces[2].ranks[1] = c.workload.data_spaces[2].ranks[0];
        CHECK(inconsistency(c) ==
              "output 'Z': rank 1 is not a single dimension of its own with coefficient 1");
    }
}

TEST_CASE("check_case: sizes beyond 64 bits are an overflow") {
    const ModelCase c = model_case("A:M,K B:K,N Z=M,N", {"M2097152 N2097152 K2097152", "M2 N2 K2"});
    const auto ok = reference::check_case(c.workload, c.architecture, c.mapping);
    REQUIRE_FALSE(ok.has_value());
    CHECK(ok.error().code == reference::Error::Code::overflow);
}

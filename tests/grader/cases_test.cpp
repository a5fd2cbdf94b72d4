// Tests of grader/cases.hpp and grader/case_json.hpp: the shipped tasks, and bad ones.
// Not of the numbers themselves: the reference's tests and the tasks' solutions are for that.
// Run by the unit suite.
#include "grader/cases.hpp"

#include "grader/case_json.hpp"
#include "grader/checkers.hpp"
#include "tests/support/source_root.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

using grader::Cases;
using grader::Task;

namespace {

std::vector<Task> shipped() {
    const auto tasks = grader::load_tasks(source_root() / "tasks");
    REQUIRE(tasks.has_value());
    return *tasks;
}

reference::Seed seed(std::uint8_t value) {
    reference::Seed made{};
    made[0] = value;
    return made;
}

Task small(const std::string& generator, const std::string& pattern) {
    Task task;
    task.id = "small";
    task.generator = generator;
    task.visible_cases = 4;
    task.hidden_cases = 16;
    task.quantities = {{pattern, {}}};
    return task;
}

std::string refusal(const Task& task) {
    const auto cases = make_cases(task, seed(1));
    return cases ? "" : cases.error().what;
}

}  // namespace

TEST_CASE("cases: every shipped task has its cases, all different, visible ones first") {
    for (const Task& task : shipped()) {
        CAPTURE(task.id);
        const auto cases = make_cases(task, seed(1));
        REQUIRE_MESSAGE(cases.has_value(), (cases ? "" : cases.error().what));
        REQUIRE(cases->inputs.size() == task.visible_cases + task.hidden_cases);
        REQUIRE(cases->expected.size() == cases->inputs.size());
        std::set<std::string> seen;
        for (std::size_t i = 0; i < cases->inputs.size(); ++i) {
            CHECK(cases->inputs[i].visible == (i < task.visible_cases));
            CHECK(seen.insert(cases->inputs[i].json).second);
            CHECK_FALSE(cases->expected[i].empty());
            for (const auto& quantity : cases->expected[i]) CHECK(quantity.value >= 0);
        }
    }
}

TEST_CASE("cases: visible ones do not depend on the hidden seed, hidden ones do") {
    for (const Task& task : shipped()) {
        const Cases a = make_cases(task, seed(1)).value();
        const Cases again = make_cases(task, seed(1)).value();
        const Cases b = make_cases(task, seed(2)).value();
        CHECK(a.hidden_sha256 == again.hidden_sha256);
        CHECK(a.hidden_sha256 != b.hidden_sha256);
        CHECK(a.hidden_sha256.size() == 64);
        for (std::size_t i = 0; i < task.visible_cases; ++i)
            CHECK(a.inputs[i].json == b.inputs[i].json);
    }
}

TEST_CASE("cases: the same bytes on every machine") {
    // Of the development seed. A change of the generator changes these, and every published result.
    std::string all;
    for (const Task& task : shipped()) {
        const Cases cases = make_cases(task, grader::development_seed()).value();
        all += task.id + " " + cases.hidden_sha256.substr(0, 16) + "\n";
    }
    CHECK(all ==
          "bypass 6301e6af5a241551\n"
          "conv2d-halo 18bb79775c39385e\n"
          "cycles-bandwidth fd37999fda2b63ae\n"
          "einsum-two-level 9c00e179204b31b9\n"
          "gemm-two-level 042655682b7daf27\n"
          "three-level-spatial 6399b7ef40363b6b\n");
}

TEST_CASE("cases: a buffer is just met and just missed") {
    for (const Task& task : shipped()) {
        if (task.id != "einsum-two-level") continue;
        const Cases cases = make_cases(task, seed(3)).value();
        int fits = 0;
        for (const auto& expected : cases.expected)
            for (const auto& quantity : expected)
                if (quantity.name == "buffer.fits") fits += static_cast<int>(quantity.value);
        CHECK(fits > 20);
        CHECK(fits < 50);
    }
}

TEST_CASE("cases: a task that a trivial answer passes is refused by the answer's name") {
    CHECK(refusal(small("matmul", "dram.used")).find("'ones'") != std::string::npos);
    CHECK(refusal(small("matmul", "dram.fills")).find("'zeros'") != std::string::npos);
    Task tolerant = small("matmul", "dram.words");
    tolerant.quantities[0].tolerance = {grader::Tolerance::Kind::absolute, 1e18, 0};
    CHECK(refusal(tolerant).find("'zeros'") != std::string::npos);
    CHECK(refusal(small("matmul", "dram.words")).empty());
}

TEST_CASE("cases: unknown generators, levels the cases lack, cases that never differ") {
    CHECK(refusal(small("matmull", "dram.words")).find("matmull") != std::string::npos);
    CHECK(refusal(small("matmul", "l2.words")).find("l2") != std::string::npos);
    Task cramped = small("matmul", "dram.words");
    cramped.case_limits = {1, 1};
    CHECK(refusal(cramped).find("'the answer of a visible case'") != std::string::npos);
}

TEST_CASE("cases: JSON has the documented keys in the documented order") {
    using reference::DimensionId;
    reference::Case made;
    const DimensionId p{0};
    const DimensionId r{1};
    made.workload = {
        "conv1d",
        {{"P", 4}, {"R", 3}},
        {{"I", {{{p, 2}, {r, 1}}}, false}, {"W", {{{r, 1}}}, false}, {"O", {{{p, 1}}}, true}}};
    made.architecture.levels = {{"DRAM", std::nullopt, 16, 1, 1.25, std::nullopt},
                                {"Buffer", 64, 8, 2, 4.0, std::nullopt}};
    made.mapping.levels = {{{{p, 2}}, {{p, 2}}, {true, true, true}},
                           {{{r, 3}}, {}, {true, false, true}}};
    CHECK(
        grader::dump(grader::case_json(made)) ==
        R"({"workload":{"name":"conv1d","dimensions":{"P":4,"R":3},"tensors":[)"
        R"({"name":"I","ranks":[[["P",2],["R",1]]],"output":false},)"
        R"({"name":"W","ranks":[[["R",1]]],"output":false},)"
        R"({"name":"O","ranks":[[["P",1]]],"output":true}]},)"
        R"("architecture":{"levels":[)"
        R"({"name":"DRAM","capacity_words":null,"word_bits":16,"instances":1,"read_bandwidth":1.25,"write_bandwidth":null},)"
        R"({"name":"Buffer","capacity_words":64,"word_bits":8,"instances":2,"read_bandwidth":4.0,"write_bandwidth":null}]},)"
        R"("mapping":{"levels":[)"
        R"({"name":"DRAM","temporal":[["P",2]],"spatial":[["P",2]],"keep":["I","W","O"]},)"
        R"({"name":"Buffer","temporal":[["R",3]],"spatial":[],"keep":["I","O"]}]}})");
}

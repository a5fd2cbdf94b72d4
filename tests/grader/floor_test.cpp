// Tests of grader/floor.hpp with small bad tasks.
// Not of the shipped tasks: cases_test.cpp.
// Run by the unit suite.
#include "grader/floor.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using grader::CaseInput;
using grader::Expected;
using grader::Tolerance;

namespace {

struct Draft {
    std::vector<CaseInput> inputs;
    std::vector<Expected> expected;

    void add(bool visible, std::string json, std::vector<std::int64_t> values,
             Tolerance tolerance = {}) {
        inputs.push_back({std::move(json), visible});
        Expected quantities;
        for (std::size_t i = 0; i < values.size(); ++i)
            quantities.push_back({"q" + std::to_string(i), values[i], tolerance, 0});
        expected.push_back(std::move(quantities));
    }
    [[nodiscard]] std::string refusal() const {
        const auto result = check_floor(inputs, expected);
        return result ? "" : result.error().what;
    }
};

bool names(const std::string& refusal, const std::string& answer) {
    CAPTURE(refusal);
    return refusal.find("'" + answer + "'") != std::string::npos;
}

}  // namespace

TEST_CASE("floor: a task that tells answers apart is admitted") {
    Draft task;
    task.add(true, R"({"n":3})", {9, 27});
    task.add(false, R"({"n":4})", {16, 64});
    task.add(false, R"({"n":5})", {25, 125});
    CHECK(task.refusal().empty());
}

TEST_CASE("floor: zeros, ones and a constant are refused by name") {
    for (const std::int64_t value : {0, 1, 7}) {
        Draft task;
        task.add(true, R"({"n":3})", {99});
        task.add(false, R"({"n":4})", {value});
        task.add(false, R"({"n":5})", {value});
        CHECK(names(task.refusal(), value == 0   ? "zeros"
                                    : value == 1 ? "ones"
                                                 : "one constant answer"));
    }
}

TEST_CASE("floor: a tolerance that swallows the answers is refused") {
    Draft task;
    task.add(true, R"({"n":3})", {9});
    task.add(false, R"({"n":4})", {16}, {Tolerance::Kind::absolute, 100, 0});
    task.add(false, R"({"n":5})", {25}, {Tolerance::Kind::absolute, 100, 0});
    CHECK(names(task.refusal(), "zeros"));
}

TEST_CASE("floor: an echo of the input is refused") {
    Draft task;
    task.add(true, R"({"x":"t","deep":[{"n":3}]})", {3});
    task.add(false, R"({"x":"t","deep":[{"n":4}]})", {4});
    task.add(false, R"({"x":"t","deep":[{"n":5}]})", {5});
    CHECK(names(task.refusal(), "a number of the input"));
}

TEST_CASE("floor: hidden cases that repeat visible ones are refused") {
    Draft task;
    task.add(true, R"({"n":3})", {9});
    task.add(true, R"({"n":4})", {16});
    task.add(false, R"({"n":3})", {9});
    task.add(false, R"({"n":4})", {16});
    CHECK(names(task.refusal(), "a lookup of the visible cases"));
}

TEST_CASE("floor: the mean of the visible answers is refused") {
    Draft task;
    task.add(true, R"({"n":3})", {10});
    task.add(true, R"({"n":4})", {20});
    task.add(false, R"({"n":5})", {14}, {Tolerance::Kind::absolute, 1, 0});
    task.add(false, R"({"n":6})", {16}, {Tolerance::Kind::absolute, 1, 0});
    CHECK(names(task.refusal(), "the mean of the visible answers"));
}

TEST_CASE("floor: cases that expect nothing, and tasks without hidden cases") {
    Draft task;
    task.add(true, R"({"n":3})", {9});
    CHECK(task.refusal().find("no hidden cases") != std::string::npos);
    task.add(false, R"({"n":4})", {});
    CHECK(task.refusal().find("expects nothing") != std::string::npos);
}

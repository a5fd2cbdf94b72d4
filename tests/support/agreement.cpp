// Comparison of two engines.
// Does not say which of them is right.
// See agreement.hpp.
#include "tests/support/agreement.hpp"

#include "reference/case_toml.hpp"
#include "reference/evaluate.hpp"
#include "reference/simulate.hpp"
#include "tests/support/shrink.hpp"

#include <fmt/format.h>

namespace tests {

using reference::Case;
using reference::Dialect;
using reference::Result;
using reference::Semantics;
using reference::Traffic;

namespace {

/// "timeloop, links, no extrapolation".
std::string name_of(const Semantics& semantics) {
    return fmt::format("{}, {}links, {}extrapolation",
                       reference::semantics_names()[static_cast<std::size_t>(semantics.dialect)],
                       semantics.links ? "" : "no ", semantics.extrapolation ? "" : "no ");
}

}  // namespace

Result<Traffic> evaluated(const Case& input, const Semantics& semantics) {
    return reference::evaluate(input.workload, input.architecture, input.mapping, semantics);
}

Result<Traffic> simulated(const Case& input, const Semantics& semantics) {
    return reference::simulate(input.workload, input.architecture, input.mapping, semantics);
}

std::vector<Semantics> all_semantics() {
    std::vector<Semantics> all;
    for (const Dialect dialect : {Dialect::exact, Dialect::timeloop, Dialect::timeloop_2024})
        for (const bool links : {false, true})
            for (const bool extrapolation : {false, true})
                all.push_back({dialect, links, extrapolation});
    return all;
}

std::string disagreement(const Engine& engine, const Engine& oracle, const Case& input,
                         const Semantics& semantics) {
    const auto actual = engine(input, semantics);
    const auto expected = oracle(input, semantics);
    if (!actual) return "refused: " + actual.error().what + "\n";
    if (!expected) return "the oracle refuses: " + expected.error().what + "\n";
    if (*actual == *expected) return "";
    std::vector<std::string> names;
    for (const auto& space : input.workload.data_spaces) names.push_back(space.name);
    return difference(*actual, *expected, names) + "not equal\n";
}

Counterexample counterexample(const Engine& engine, const Engine& oracle, const Case& input,
                              const Semantics& semantics) {
    const auto differs = [&](const Case& c) {
        return !disagreement(engine, oracle, c, semantics).empty();
    };
    Counterexample found{shrink(input, differs), {}};
    found.text = name_of(semantics) + "\n" + disagreement(engine, oracle, found.input, semantics) +
                 reference::case_toml(found.input);
    return found;
}

}  // namespace tests

// Cases from seeds: generate, evaluate, name the quantities, check that no trivial answer passes.
// Does not read a seed from anywhere.
// See cases.hpp.
#include "grader/cases.hpp"

#include "grader/case_json.hpp"
#include "grader/floor.hpp"
#include "grader/quantities.hpp"
#include "grader/sha256.hpp"
#include "reference/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace grader {

namespace {

reference::Seed seed_of(std::string_view text) {
    reference::Seed seed{};
    std::copy_n(text.begin(), std::min(text.size(), seed.size()), seed.begin());
    return seed;
}

/// Visible cases never change with the hidden seed.
const reference::Seed& public_seed() {
    static const reference::Seed kSeed = seed_of("perfjudge: visible cases");
    return kSeed;
}

Error about(const Task& task, std::string_view what) {
    return {Error::Code::bad_input, fmt::format("task '{}': {}", task.id, what)};
}

/// Fills `cases` up to `count` with cases that differ from all before.
Result<void> append(const Task& task, const reference::Seed& seed, std::size_t count, bool visible,
                    std::set<std::string>& seen, Cases& cases) {
    const std::size_t target = cases.inputs.size() + count;
    const std::uint64_t tries = 64 * static_cast<std::uint64_t>(count);
    for (std::uint64_t index = 0; cases.inputs.size() < target; ++index) {
        if (index == tries)
            return tl::unexpected(about(
                task, fmt::format("generator '{}' makes too few different cases", task.generator)));
        const auto made = reference::generate(task.generator, task.case_limits, seed, index);
        if (!made) return tl::unexpected(about(task, made.error().what));
        std::string json = dump(case_json(*made));
        if (!seen.insert(json).second) continue;
        const auto traffic = reference::evaluate(made->workload, made->architecture, made->mapping);
        if (!traffic)
            return tl::unexpected(
                about(task, fmt::format("case {}: {}", index, traffic.error().what)));
        auto expected = quantities_of(*made, *traffic, task.quantities);
        if (!expected) return tl::unexpected(about(task, expected.error().what));
        cases.inputs.push_back({std::move(json), visible});
        cases.expected.push_back(std::move(*expected));
    }
    return {};
}

std::string sha256_of_hidden(const Cases& cases) {
    std::string text;
    for (const CaseInput& input : cases.inputs)
        if (!input.visible) text += input.json + "\n";
    return sha256_hex(text);
}

}  // namespace

const reference::Seed& development_seed() {
    static const reference::Seed kSeed = seed_of("perfjudge: development seed");
    return kSeed;
}

Result<Cases> make_cases(const Task& task, const reference::Seed& hidden_seed) {
    Cases cases;
    std::set<std::string> seen;
    if (auto done = append(task, public_seed(), task.visible_cases, true, seen, cases); !done)
        return tl::unexpected(std::move(done.error()));
    if (auto done = append(task, hidden_seed, task.hidden_cases, false, seen, cases); !done)
        return tl::unexpected(std::move(done.error()));
    if (const auto done = check_floor(cases.inputs, cases.expected); !done)
        return tl::unexpected(about(task, done.error().what));
    cases.hidden_sha256 = sha256_of_hidden(cases);
    return cases;
}

}  // namespace grader

// Grades a hostile corpus the way every submission is graded, and compares what came of it.
// Never runs an attack itself: workers do, in jails. Prints nothing.
// Called by cmd_selftest.cpp.
#pragma once

#include "grader/grade.hpp"
#include "tools/selftest_corpus.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tools {

struct SelftestOptions {
    std::filesystem::path corpus, tasks;
    std::filesystem::path temporary;  // a folder for this run is made in it, and removed
    std::string only;
    unsigned jobs = 1;
    int stop_fd = -1;
};

struct AttackResult {
    std::string name, tries, expected, got, reason;
    std::vector<std::string> problems;  // empty: as expected
};

/// Something that must hold after all attacks.
struct AfterCheck {
    std::string what;
    std::string problem;  // "": it holds
};

struct SelftestResult {
    bool stopped = false;
    std::string mode;
    std::vector<AttackResult> attacks;
    std::vector<AfterCheck> after;
    [[nodiscard]] std::size_t differences() const;
};

/// Errors: bad_input for a corpus or tasks that cannot be used, cannot_judge for this host.
grader::Result<SelftestResult> run_selftest(
    const SelftestOptions& options,
    const std::function<void(const grader::Progress&)>& on_progress);

}  // namespace tools

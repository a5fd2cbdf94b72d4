// Asks the real parts what they give on this host: the helper its mode, a run its limits, a worker
// its languages. Prints nothing: doctor_report.hpp does.
// Called by cmd_doctor.cpp.
#pragma once

#include "sandbox/doctor/finding.hpp"
#include "sandbox/outcome.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tools {

struct LanguageCheck {
    std::string language;
    bool works = false;
    std::string words;  // its version, or why it does not work
};

struct Diagnosis {
    std::vector<sandbox::doctor::Finding> findings;
    std::string mode;                              // "" where no jail can be made
    std::string mode_error;                        // why not
    std::optional<sandbox::LimitsInForce> limits;  // of a real run
    std::vector<LanguageCheck> languages;
    [[nodiscard]] bool can_grade() const;
};

/// `cache` as a worker would use it: made if it is absent, and filled by the self-test of C++.
Diagnosis diagnose(const std::filesystem::path& cache);

/// "cpu", "wall", ... with who enforces each, in the order of every report.
std::vector<std::pair<const char*, sandbox::Limiter>> limiters(
    const sandbox::LimitsInForce& limits);

}  // namespace tools

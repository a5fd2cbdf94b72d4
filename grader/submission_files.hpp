// Files and directories of submissions to drafts, line by line, each fault with its place.
// Does not compare drafts with each other: submission.cpp does.
// Called by submission.cpp.
#pragma once

#include "grader/error.hpp"
#include "grader/submission_line.hpp"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace grader {

struct Collected {
    std::vector<Draft> drafts;  // in input order
    std::uint64_t lines_read = 0;
    std::uint64_t replaced = 0;
};

/// Most bytes of one line, of one file of code, and of one document that is not made of lines.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;

/// Errors: bad_input where the path cannot be opened.
Result<void> collect(const std::filesystem::path& input, const std::set<std::string>& known_tasks,
                     Collected& collected);

}  // namespace grader

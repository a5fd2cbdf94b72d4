// A batch of records, one JSON line each: results in order, in constant memory.
// Does not stop at a broken line.
// Called by cmd_model.cpp for --batch.
#pragma once

#include "grader/error.hpp"
#include "reference/semantics.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tools {

struct BatchOptions {
    std::string file;  // plain, gzip or zstd; "-": standard input
    reference::Semantics semantics;
    bool ignore_capacity = false;
};

struct BatchCounts {
    std::uint64_t results = 0;
    std::uint64_t errors = 0;
};

/// The answer to one line, without its end: {"id","result"} or {"id","error"}; id is null where
/// the line has none. `place` ("file") and the number of the line stand in front of errors.
std::string answer_line(std::string_view line, std::string_view place, std::uint64_t number,
                        const BatchOptions& options, bool& failed);

/// Writes one line per line of the file to standard output, none for an empty one.
/// Errors: bad_input, where the file cannot be read, or standard output not be written.
grader::Result<BatchCounts> run_batch(const BatchOptions& options);

}  // namespace tools

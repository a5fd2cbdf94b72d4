// What `perfjudge model` says of one case: a table, or JSON in the shape of Timeloop's numbers.
// Does not count: reference/ does; does not print.
// Used by cmd_model.cpp, model_batch.cpp and model_plot.cpp.
#pragma once

#include "reference/case.hpp"
#include "reference/energy.hpp"
#include "reference/error.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tools {

struct ModelResult {
    reference::Case input;
    reference::Semantics semantics;
    reference::Traffic traffic;
    std::optional<reference::Energy> energy;
};

/// evaluate(), or simulate() where the mapping has remainders. Errors: theirs; overflow also where
/// a sum that is printed would exceed 2^63-1, so that none of the functions below has to.
reference::Result<reference::Traffic> count(const reference::Case& input,
                                            const reference::Semantics& semantics);

/// The name on the command line.
std::string dialect_text(reference::Dialect dialect);

/// "exact", "timeloop, without links", ...
std::string semantics_text(const reference::Semantics& semantics);

/// Words that pass to and from the outermost level: its reads and updates (it has no fills).
std::int64_t off_chip_words(const reference::Traffic& traffic);

/// Words that the tiles kept at a level take in one instance; of one buffer of several.
std::int64_t buffer_words(const reference::LevelTraffic& level);

/// Partial sums that are read again: all reads of the output, none of other data spaces.
std::int64_t reductions(const reference::DataSpace& data_space, std::int64_t reads);

/// "50.00%", as timeloop-model prints it.
std::string utilization_text(double utilization);

/// Lines for people, colour for terminals only.
std::string model_table(const ModelResult& result, bool colour);

/// One object; docs/reference-model.md lists its fields.
std::string model_json(const ModelResult& result);

/// The member "result" alone: what timeloop-model prints, by its names.
std::string result_json(const reference::Workload& workload, const reference::Traffic& traffic);

}  // namespace tools

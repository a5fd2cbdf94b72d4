// Reader of Timeloop's own files, YAML or JSON: problem, architecture and mapping.
// Does not check that the three belong together (check_case), nor capacities (fits).
// docs/timeloop-files.md lists what is read. Called by the command line and by tests.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace reference {

/// One document. It may hold problem, architecture, mapping and anything else under keys of these
/// names, or just the content of one of them.
struct TimeloopText {
    std::string_view text;
    std::string_view name;       // stands in front of every message
    std::size_t first_line = 1;  // for messages: where the text begins in its file
};

/// `problem`: a shape with its instance, a preset by name, or the old flat style.
/// Errors (of all readers here): unreadable; each mistake on a line of its own, "name:line:
/// key.path: what is wrong and what would be right". What changes counts and is not modelled is
/// refused by name: sparse optimizations, densities below 1, skew, flattening, `no_reuse` and its
/// like.
Result<Workload> read_timeloop_problem(const TimeloopText& text);

/// `architecture`: `subtree` and `local` (versions 0.2 and 0.3), `nodes` (0.4), or the flat
/// `arithmetic` and `storage`. Of `nodes`, a fanout becomes a level `inter_NAME_spatial` that holds
/// nothing, as in Timeloop's front end.
Result<Architecture> read_timeloop_architecture(const TimeloopText& text);

/// `mapping`: directives for levels of the architecture. If an architecture with `nodes` stands in
/// the same text, the constraints of its nodes are directives as well.
Result<Mapping> read_timeloop_mapping(const TimeloopText& text, const Workload& workload,
                                      const Architecture& architecture);

/// The three; each text may be the same one. Unlike the above, the constraints of nodes are heeded
/// where the mapping is in another text than the architecture.
Result<Case> read_timeloop_case(const TimeloopText& problem, const TimeloopText& architecture,
                                const TimeloopText& mapping);

/// A line of JSON with `id`, `problem`, `architecture` and `mapping`; other keys do not matter.
struct TimeloopRecord {
    std::string id;  // also where the rest is wrong; empty if there is none
    Result<Case> input;
};
TimeloopRecord read_timeloop_record(std::string_view line, std::string_view name,
                                    std::size_t line_number = 1);

}  // namespace reference

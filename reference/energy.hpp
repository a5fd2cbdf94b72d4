// Energy from accesses: words times a price per word, operations times a price per operation.
// Does not know where prices come from: a table of the user's, see docs/reference-model.md.
// Called by `perfjudge model --energy`.
#pragma once

#include "reference/architecture.hpp"
#include "reference/error.hpp"
#include "reference/traffic.hpp"

#include <vector>

namespace reference {

class Document;

/// Picojoules per word that is read, and per word that is filled or updated.
struct AccessEnergy {
    double read_pj = 0;
    double write_pj = 0;
    bool operator==(const AccessEnergy&) const = default;
};

/// One entry per level of an architecture, outermost first; per multiply-accumulate operation.
struct EnergyTable {
    std::vector<AccessEnergy> levels;
    double compute_pj = 0;
    bool operator==(const EnergyTable&) const = default;
};

/// Picojoules of the whole run, all instances. Shape: levels x data spaces; 0 where bypassed.
struct Energy {
    std::vector<std::vector<double>> accesses_pj;
    double compute_pj = 0;
    double total_pj = 0;
    bool operator==(const Energy&) const = default;
};

/// Reads a document of [[levels]] (name, read_pj, write_pj) and [compute] (pj).
/// Every level of the architecture has its entry, in any order; there are no others.
/// Errors: unreadable, with every mistake found on a line of its own.
Result<EnergyTable> read_energy(const Document& document, const Architecture& architecture);

/// Sum over the words of Movement::total. The table has as many levels as the traffic.
Energy energy_of(const EnergyTable& table, const Traffic& traffic);

}  // namespace reference

// Where each number of a result comes from, in words: the loop nest, the tiles, what moves and why.
// Does not print, and decides no number: evaluate.hpp does.
// Called by `perfjudge model --explain`; docs/reference-model.md has the formulas.
#pragma once

#include "reference/case.hpp"
#include "reference/error.hpp"
#include "reference/semantics.hpp"
#include "reference/traffic.hpp"

#include <string>

namespace reference {

/// Text of many lines. A line that ends in " = NUMBER" and begins with "fills of A at Buffer" (or
/// tile, partition, reads, updates, cycles) gives a number of the result.
/// `traffic` is what evaluate() or simulate() said of this input and these semantics. A mapping
/// with remainders has no closed form: of it only the nest and the tiles are explained.
/// Errors: overflow, as evaluate().
Result<std::string> explain(Case input, const Semantics& semantics, Traffic traffic);

}  // namespace reference

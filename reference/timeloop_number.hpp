// Numbers as Timeloop's files write them: literals, and the front end's simple arithmetic on names.
// Does not evaluate anything with an effect; knows + - * / // % **, parentheses and a few
// functions. Used by the readers of Timeloop's files.
#pragma once

#include "reference/yaml_place.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace reference {

/// Maps whose values a name may stand for, innermost first: the attributes of a component, those of
/// the containers around it, the variables of the document.
using Names = std::vector<const YamlNode*>;

/// The value of a literal or an expression. Whole numbers are exact up to 2^53, literals up to
/// 2^63-1. None: not a number, with the mistake recorded.
std::optional<double> number(const Place& place, const Names& names);
std::optional<std::int64_t> whole_number(const Place& place, const Names& names,
                                         std::int64_t least);

}  // namespace reference

// JSON to the tree of a YAML text, many times faster than through a YAML parser.
// Does not report mistakes: what is not JSON may still be YAML, and yaml_tree.cpp asks libyaml.
// Called by yaml_tree.cpp.
#pragma once

#include "reference/yaml_tree.hpp"

#include <cstddef>
#include <deque>
#include <string_view>

namespace reference {

/// The nodes of a JSON text, as libyaml's events would make them; lines count from `first_line`.
/// Keys and bounds are not checked. Null: not JSON, or nested over `most_depth` levels.
YamlNode* json_tree(std::string_view text, std::size_t first_line, std::size_t most_depth,
                    std::deque<YamlNode>& nodes);

}  // namespace reference

// A YAML or JSON text as a tree of nodes with their lines.
// Does not know what a document means; numbers stay text. The only user of libyaml is
// yaml_tree.cpp. Used by the readers of Timeloop's files.
#pragma once

#include "reference/error.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

struct YamlNode {
    enum class Kind : std::uint8_t { nothing, text, list, map };
    Kind kind = Kind::nothing;  // `nothing`: null, ~ or no value at all
    std::size_t line = 1;
    std::size_t size = 1;                // nodes in it, aliases written out
    std::size_t depth = 1;               // levels in it, likewise
    std::string tag;                     // "!Component"; empty: none
    std::string text;                    // of a scalar
    std::vector<std::string> keys;       // of a map, in the order of the document
    std::vector<const YamlNode*> items;  // of a list; or the values of a map

    /// The value of a key, or null. `-` and `_` are the same in keys, as in Timeloop.
    [[nodiscard]] const YamlNode* find(std::string_view key) const;
};

/// Owner of all nodes of a document. Aliases and merged maps (`<<`, and the front end's `<<<`) are
/// resolved and share their nodes.
class YamlTree {
  public:
    /// `name` stands in front of every message; the first line of the text is `first_line`.
    /// Errors: unreadable, "name:line: what": text that is not YAML, a key that stands twice in a
    /// map, an alias to something unknown or to itself; more than one document, 16 MiB of text, 64
    /// levels of nesting or 2^20 nodes with aliases written out.
    static Result<YamlTree> parse(std::string_view text, std::string_view name,
                                  std::size_t first_line = 1);

    [[nodiscard]] const YamlNode& root() const { return *root_; }

  private:
    friend class YamlBuilder;
    std::deque<YamlNode> nodes_;  // stable addresses
    const YamlNode* root_ = nullptr;
};

}  // namespace reference

// A value of a YAML document and the way to it: getters that record mistakes with line and key
// path. Does not stop at a mistake: a getter then returns an empty value, and Mistakes::finish()
// tells. Used by the readers of Timeloop's files.
#pragma once

#include "reference/error.hpp"
#include "reference/yaml_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

/// What is wrong in one document.
class Mistakes {
  public:
    explicit Mistakes(std::string_view name) : name_(name) {}
    void add(std::size_t line, std::string_view path, std::string_view what);
    [[nodiscard]] bool none() const { return list_.empty(); }
    /// Errors: unreadable; each mistake on a line "name:line: key.path: what is wrong and what
    /// would be right", in the order of the document; at most 20.
    [[nodiscard]] Result<void> finish() const;

  private:
    struct Mistake {
        std::size_t line;
        std::string text;
    };
    std::string name_;
    std::vector<Mistake> list_;
};

/// `'text'`, cut and without control characters.
std::string quoted(std::string_view text);

class Place {
  public:
    Place(const YamlNode* node, std::string path, std::size_t line, Mistakes& mistakes)
        : node_(node), path_(std::move(path)), line_(line), mistakes_(&mistakes) {}

    /// There is a value and it is not null.
    [[nodiscard]] bool present() const {
        return node_ != nullptr && node_->kind != YamlNode::Kind::nothing;
    }
    /// A map with that key and a value.
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool is_text() const { return is(YamlNode::Kind::text); }
    [[nodiscard]] bool is_list() const { return is(YamlNode::Kind::list); }
    [[nodiscard]] bool is_map() const { return is(YamlNode::Kind::map); }
    [[nodiscard]] std::size_t size() const { return node_ == nullptr ? 0 : node_->items.size(); }
    [[nodiscard]] const std::vector<std::string>& keys() const;
    [[nodiscard]] std::string_view tag() const {
        return node_ == nullptr ? std::string_view() : std::string_view(node_->tag);
    }
    [[nodiscard]] const YamlNode* node() const { return node_; }  // null: not there
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// The value of a key; not present if there is none or this is no map.
    [[nodiscard]] Place at(std::string_view key) const;
    /// An element of a list, or the value of key number `index`.
    [[nodiscard]] Place item(std::size_t index) const;

    /// Another value at the same place.
    [[nodiscard]] Place with(const YamlNode* node) const {
        return {node, path_, line_, *mistakes_};
    }
    /// The same value under another path.
    [[nodiscard]] Place named(std::string path) const {
        return {node_, std::move(path), line_, *mistakes_};
    }

    /// The text of a scalar; "" with a mistake if it is missing or no scalar.
    [[nodiscard]] std::string text(std::string_view needs = "a text") const;
    /// The text of a scalar if it is one, else "". No mistake.
    [[nodiscard]] std::string_view raw() const;
    /// True or false; false where nothing is there.
    [[nodiscard]] bool flag() const;
    /// A list of texts; one text is a list of one. Nothing is an empty list.
    [[nodiscard]] std::vector<std::string> texts() const;

    /// No mistake in the document so far.
    [[nodiscard]] bool sound() const { return mistakes_->none(); }
    void mistake(std::string_view what) const { mistakes_->add(line_, path_, what); }
    /// "... is not right here; needs ..." or "missing; needs ...".
    void wrong(std::string_view needs) const;
    /// Every key must be one of these; others are mistakes.
    void only_keys(std::span<const std::string_view> known) const;

  private:
    [[nodiscard]] bool is(YamlNode::Kind kind) const {
        return node_ != nullptr && node_->kind == kind;
    }
    const YamlNode* node_;  // null: not there
    std::string path_;
    std::size_t line_;
    Mistakes* mistakes_;
};

}  // namespace reference

// libyaml's events to a tree.
// Does not expand aliases: it shares nodes, and counts what they would be written out.
// See yaml_tree.hpp.
#include "reference/yaml_tree.hpp"

#include "reference/json_tree.hpp"
#include "reference/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <yaml.h>

namespace reference {

namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostDepth = 64;
constexpr std::size_t kMostNodes = std::size_t{1} << 20U;
constexpr std::size_t kMostMergeSteps = std::size_t{1} << 22U;
constexpr std::size_t kLinearKeys = 32;  // maps up to here are searched key by key

bool same_key(std::string_view a, std::string_view b) {
    const auto plain = [](char c) { return c == '-' ? '_' : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return plain(x) == plain(y); });
}

std::string plain_key(std::string_view key) {
    std::string plain(key);
    std::replace(plain.begin(), plain.end(), '-', '_');
    return plain;
}

std::string_view view(const yaml_char_t* text, std::size_t size) {
    return {reinterpret_cast<const char*>(text), size};  // bytes as libyaml hands them over
}

std::string_view view(const yaml_char_t* text) {
    return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

/// Tags of the kind !Name; those of the YAML standard say nothing here.
std::string own_tag(const yaml_char_t* tag) {
    const std::string_view name = view(tag);
    if (name.substr(0, 4) == "tag:" || name == "!") return {};
    return std::string(name);
}

bool is_nothing(std::string_view text) {
    constexpr std::array<std::string_view, 5> kNothing{"", "~", "null", "Null", "NULL"};
    return std::find(kNothing.begin(), kNothing.end(), text) != kNothing.end();
}

struct ParserEnd {
    void operator()(yaml_parser_t* parser) const {
        yaml_parser_delete(parser);
        delete parser;
    }
};

/// One event; freed at the end of its life.
class Event {
  public:
    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { yaml_event_delete(&event_); }
    yaml_event_t* get() { return &event_; }
    yaml_event_t* operator->() { return &event_; }

  private:
    yaml_event_t event_{};
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    if (kind != Kind::map) return nullptr;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (same_key(keys[i], key)) return items[i];
    return nullptr;
}

/// Reads the events of one document. Nodes under construction are on a stack.
class YamlBuilder {
  public:
    YamlBuilder(std::string_view text, std::string_view name, std::size_t first_line)
        : name_(name),
          first_line_(first_line),
          newlines_(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'))),
          parser_(new yaml_parser_t) {
        if (yaml_parser_initialize(parser_.get()) == 0) parser_.release();  // out of memory
        if (!parser_) return;
        yaml_parser_set_input_string(
            parser_.get(), reinterpret_cast<const yaml_char_t*>(text.data()), text.size());
        yaml_parser_set_encoding(parser_.get(), YAML_UTF8_ENCODING);
    }

    /// The tree of a JSON text, or none where only libyaml can tell what it is.
    static std::optional<YamlTree> json(std::string_view text, std::size_t first_line) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos || (text[first] != '{' && text[first] != '['))
            return std::nullopt;
        YamlTree tree;
        tree.root_ = json_tree(text, first_line, kMostDepth, tree.nodes_);
        const auto sound = [](const YamlNode& node) { return !repeated_key(node); };
        if (tree.root_ == nullptr || tree.nodes_.size() > kMostNodes ||
            !std::all_of(tree.nodes_.begin(), tree.nodes_.end(), sound))
            return std::nullopt;
        return tree;
    }

    Result<YamlTree> build() {
        if (!parser_) return error(first_line_, "no memory for the YAML parser");
        for (bool more = true; more;) {
            Event event;
            if (yaml_parser_parse(parser_.get(), event.get()) == 0) return syntax_error();
            more = event->type != YAML_STREAM_END_EVENT;
            if (auto done = take(*event.get()); !done)
                return tl::unexpected(std::move(done).error());
        }
        if (tree_.root_ == nullptr) tree_.root_ = &tree_.nodes_.emplace_back();
        return std::move(tree_);
    }

  private:
    struct Open {
        YamlNode* node;
        std::string anchor;
        std::optional<std::string> key;  // of a map: read, and its value not yet
        std::vector<std::pair<std::string, const YamlNode*>> merged;
    };

    [[nodiscard]] std::size_t line(const yaml_mark_t& mark) const {
        return first_line_ + mark.line;
    }

    /// Names of the document in `what` have control characters as '?': a message is a line.
    [[nodiscard]] tl::unexpected<Error> error(std::size_t at, std::string_view what) const {
        return tl::unexpected(
            Error{Error::Code::unreadable, fmt::format("{}:{}: {}", name_, at, printable(what))});
    }

    [[nodiscard]] tl::unexpected<Error> syntax_error() const {
        const std::string_view what = parser_->problem == nullptr ? "wrong" : parser_->problem;
        const std::size_t at =
            parser_->error == YAML_READER_ERROR ? parser_->mark.line : parser_->problem_mark.line;
        // At the end of the text libyaml may already count the line after it.
        return error(first_line_ + std::min(at, newlines_),
                     fmt::format("this is not YAML: {}", what));
    }

    Result<void> take(const yaml_event_t& event) {
        const std::size_t at = line(event.start_mark);
        switch (event.type) {
            case YAML_DOCUMENT_START_EVENT:
                if (tree_.root_ != nullptr) return error(at, "a second document; needs one");
                return {};
            case YAML_ALIAS_EVENT:
                return take_alias(event, at);
            case YAML_SCALAR_EVENT:
                return take_scalar(event, at);
            case YAML_SEQUENCE_START_EVENT:
                return open(YamlNode::Kind::list, event.data.sequence_start.tag,
                            event.data.sequence_start.anchor, at);
            case YAML_MAPPING_START_EVENT:
                return open(YamlNode::Kind::map, event.data.mapping_start.tag,
                            event.data.mapping_start.anchor, at);
            case YAML_SEQUENCE_END_EVENT:
            case YAML_MAPPING_END_EVENT:
                return close();
            default:
                return {};
        }
    }

    Result<void> open(YamlNode::Kind kind, const yaml_char_t* tag, const yaml_char_t* anchor,
                      std::size_t at) {
        if (open_.size() == kMostDepth)
            return error(at, fmt::format("over {} levels of nesting", kMostDepth));
        if (wants_key()) return error(at, "a list or map as a key; needs a text");
        YamlNode& node = tree_.nodes_.emplace_back();
        node.kind = kind;
        node.line = at;
        node.tag = own_tag(tag);
        open_.push_back({&node, std::string(view(anchor)), std::nullopt, {}});
        return {};
    }

    Result<void> take_scalar(const yaml_event_t& event, std::size_t at) {
        const auto& scalar = event.data.scalar;
        const std::string_view text = view(scalar.value, scalar.length);
        if (wants_key()) {
            open_.back().key = std::string(text);
            return {};
        }
        YamlNode& node = tree_.nodes_.emplace_back();
        node.line = at;
        node.tag = own_tag(scalar.tag);
        const bool nothing = scalar.style == YAML_PLAIN_SCALAR_STYLE && is_nothing(text);
        node.kind = nothing ? YamlNode::Kind::nothing : YamlNode::Kind::text;
        if (!nothing) node.text = std::string(text);
        return place(node, std::string(view(scalar.anchor)));
    }

    Result<void> take_alias(const yaml_event_t& event, std::size_t at) {
        const std::string name(view(event.data.alias.anchor));
        const auto found = anchors_.find(name);
        if (found == anchors_.end())
            return error(at, fmt::format("there is no '&{}' complete before this alias", name));
        if (wants_key()) return error(at, "an alias as a key; needs a text");
        return place(*found->second, "");
    }

    Result<void> close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        if (auto merged = merge(done); !merged) return merged;
        measure(*done.node);
        if (done.node->depth > kMostDepth)
            return error(done.node->line, fmt::format("over {} levels of nesting", kMostDepth));
        if (done.node->size > kMostNodes)
            return error(done.node->line, fmt::format("over {} nodes, aliases written out; "
                                                      "needs a smaller document",
                                                      kMostNodes));
        if (auto unique = check_keys(*done.node); !unique) return unique;
        return place(*done.node, done.anchor);
    }

    static void measure(YamlNode& node) {
        node.size = node.depth = 1;
        for (const YamlNode* item : node.items) {
            node.size += item->size;
            node.depth = std::max(node.depth, item->depth + 1);
        }
    }

    /// A finished node, as a value of the innermost open one or as the root.
    Result<void> place(const YamlNode& node, const std::string& anchor) {
        if (!anchor.empty()) anchors_[anchor] = &node;
        if (open_.empty()) {
            tree_.root_ = &node;
            return {};
        }
        Open& parent = open_.back();
        if (parent.node->kind == YamlNode::Kind::map) {
            std::string key = *std::exchange(parent.key, std::nullopt);
            if (key == "<<" || key == "<<<") {
                parent.merged.emplace_back(std::move(key), &node);
                return {};
            }
            parent.node->keys.push_back(std::move(key));
        }
        parent.node->items.push_back(&node);
        return {};
    }

    [[nodiscard]] bool wants_key() const {
        return !open_.empty() && open_.back().node->kind == YamlNode::Kind::map &&
               !open_.back().key;
    }

    /// Keys of a map that stand in it win over merged ones; earlier merged ones over later.
    Result<void> merge(Open& done) {
        for (const auto& [key, value] : done.merged) {
            const bool list = value->kind == YamlNode::Kind::list;
            const auto sources = list ? value->items : std::vector<const YamlNode*>{value};
            for (const YamlNode* source : sources) {
                if (source->kind != YamlNode::Kind::map)
                    return error(value->line, fmt::format("'{}' needs a map to merge", key));
                merge_map(*done.node, *source, key == "<<<");
                if (merge_steps_ > kMostMergeSteps)
                    return error(value->line, "too many keys to merge; needs a smaller document");
            }
        }
        return {};
    }

    /// Deep: maps that both have are merged as well.
    void merge_map(YamlNode& into, const YamlNode& from, bool deep) {
        for (std::size_t i = 0; i < from.keys.size() && merge_steps_ <= kMostMergeSteps; ++i) {
            merge_steps_ += into.keys.size() + 1;
            const auto found = std::find_if(into.keys.begin(), into.keys.end(), [&](const auto& k) {
                return same_key(k, from.keys[i]);
            });
            if (found == into.keys.end()) {
                into.keys.push_back(from.keys[i]);
                into.items.push_back(from.items[i]);
                continue;
            }
            const YamlNode*& own = into.items[static_cast<std::size_t>(found - into.keys.begin())];
            if (!deep || own->kind != YamlNode::Kind::map ||
                from.items[i]->kind != YamlNode::Kind::map)
                continue;
            YamlNode& both = tree_.nodes_.emplace_back(*own);
            merge_map(both, *from.items[i], deep);
            measure(both);
            own = &both;
        }
    }

    [[nodiscard]] Result<void> check_keys(const YamlNode& node) const {
        const auto twice = repeated_key(node);
        if (!twice) return {};
        return error(node.items[*twice]->line,
                     fmt::format("'{}' stands twice in this map", node.keys[*twice]));
    }

    /// The first key that stands further up as well.
    static std::optional<std::size_t> repeated_key(const YamlNode& node) {
        if (node.keys.size() <= kLinearKeys) {
            for (std::size_t i = 0; i < node.keys.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (same_key(node.keys[i], node.keys[j])) return i;
            return std::nullopt;
        }
        std::set<std::string> seen;
        for (std::size_t i = 0; i < node.keys.size(); ++i)
            if (!seen.insert(plain_key(node.keys[i])).second) return i;
        return std::nullopt;
    }

    std::string_view name_;
    std::size_t first_line_;
    std::size_t newlines_;
    std::unique_ptr<yaml_parser_t, ParserEnd> parser_;
    YamlTree tree_;
    std::vector<Open> open_;
    std::size_t merge_steps_ = 0;
    std::map<std::string, const YamlNode*, std::less<>> anchors_;
};

Result<YamlTree> YamlTree::parse(std::string_view text, std::string_view name,
                                 std::size_t first_line) {
    if (text.size() > kMostBytes)
        return tl::unexpected(Error{Error::Code::unreadable,
                                    fmt::format("{}:{}: over 16 MiB of text", name, first_line)});
    if (auto json = YamlBuilder::json(text, first_line)) return *std::move(json);
    auto tree = YamlBuilder(text, name, first_line).build();
    if (!tree && text.find("{{") != std::string_view::npos)
        tree.error().what += "; templates like {{...}} are not expanded";
    return tree;
}

}  // namespace reference

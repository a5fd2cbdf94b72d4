// A recursive descent over JSON.
// Does not convert numbers: scalars stay text.
// See json_tree.hpp.
#include "reference/json_tree.hpp"

#include <algorithm>
#include <string>

namespace reference {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class JsonParser {
  public:
    JsonParser(std::string_view text, std::size_t line, std::size_t most_depth,
               std::deque<YamlNode>& nodes)
        : at_(text.data()),
          end_(text.data() + text.size()),
          line_(line),
          most_depth_(most_depth),
          nodes_(nodes) {}

    YamlNode* document() {
        YamlNode* root = value(0);
        skip_spaces();
        return at_ == end_ ? root : nullptr;
    }

  private:
    void skip_spaces() {
        for (; at_ != end_ && is_space(*at_); ++at_) line_ += *at_ == '\n' ? 1 : 0;
    }

    bool take(char c) {
        skip_spaces();
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }

    YamlNode* value(std::size_t depth) {
        skip_spaces();
        if (at_ == end_) return nullptr;
        YamlNode& node = nodes_.emplace_back();
        node.line = line_;
        if (*at_ == '{' || *at_ == '[') return depth < most_depth_ ? list(node, depth) : nullptr;
        node.kind = YamlNode::Kind::text;
        if (*at_ == '"') return string(node.text) ? &node : nullptr;
        return word(node) ? &node : nullptr;
    }

    /// A list or a map; its first character is next.
    YamlNode* list(YamlNode& node, std::size_t depth) {
        const bool map = *at_++ == '{';
        const char close = map ? '}' : ']';
        node.kind = map ? YamlNode::Kind::map : YamlNode::Kind::list;
        if (take(close)) return &node;
        do {
            if (map && !key(node)) return nullptr;
            const YamlNode* item = value(depth + 1);
            if (item == nullptr) return nullptr;
            node.items.push_back(item);
            node.size += item->size;
            node.depth = std::max(node.depth, item->depth + 1);
        } while (take(','));
        return take(close) ? &node : nullptr;
    }

    /// Merge keys mean something in YAML only.
    bool key(YamlNode& map) {
        skip_spaces();
        if (at_ == end_ || *at_ != '"') return false;
        std::string& text = map.keys.emplace_back();
        return string(text) && text != "<<" && text != "<<<" && take(':');
    }

    /// ASCII without escapes but the simple ones: what else there is goes the long way.
    bool string(std::string& out) {
        ++at_;
        for (;;) {
            const char* begin = at_;
            while (at_ != end_ && *at_ >= ' ' && *at_ < 0x7f && *at_ != '"' && *at_ != '\\') ++at_;
            out.append(begin, at_);
            if (at_ == end_) return false;
            if (*at_ == '"') {
                ++at_;
                return true;
            }
            if (*at_ != '\\' || end_ - at_ < 2 || (at_[1] != '"' && at_[1] != '\\')) return false;
            out += at_[1];
            at_ += 2;
        }
    }

    /// true, false, null or a number.
    bool word(YamlNode& node) {
        const char* begin = at_;
        while (at_ != end_ && (is_digit(*at_) || (*at_ >= 'a' && *at_ <= 'z') || *at_ == 'E' ||
                               *at_ == '+' || *at_ == '-' || *at_ == '.'))
            ++at_;
        node.text.assign(begin, at_);
        if (node.text == "null") {
            node.kind = YamlNode::Kind::nothing;
            node.text.clear();
            return true;
        }
        return node.text == "true" || node.text == "false" || is_number(node.text);
    }

    static bool is_number(std::string_view text) {
        const auto digits = [&text] {
            const auto stop = std::find_if_not(text.begin(), text.end(), is_digit);
            const auto count = static_cast<std::size_t>(stop - text.begin());
            text.remove_prefix(count);
            return count > 0;
        };
        if (!text.empty() && text.front() == '-') text.remove_prefix(1);
        if (!digits()) return false;
        if (!text.empty() && text.front() == '.') {
            text.remove_prefix(1);
            if (!digits()) return false;
        }
        if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
            text.remove_prefix(1);
            if (!text.empty() && (text.front() == '+' || text.front() == '-'))
                text.remove_prefix(1);
            if (!digits()) return false;
        }
        return text.empty();
    }

    const char* at_;
    const char* end_;
    std::size_t line_;
    std::size_t most_depth_;
    std::deque<YamlNode>& nodes_;
};

}  // namespace

YamlNode* json_tree(std::string_view text, std::size_t first_line, std::size_t most_depth,
                    std::deque<YamlNode>& nodes) {
    return JsonParser(text, first_line, most_depth, nodes).document();
}

}  // namespace reference

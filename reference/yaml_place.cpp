// Getters over YamlNode, and the words of their messages.
// Does not know which keys exist.
// See yaml_place.hpp.
#include "reference/yaml_place.hpp"

#include "reference/nearest.hpp"
#include "reference/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace reference {

namespace {

constexpr std::size_t kMostMistakes = 20;
constexpr std::size_t kMostQuotedBytes = 100;
constexpr std::size_t kMostPathBytes = 300;
constexpr std::size_t kMostMessageBytes = 1000;

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
    });
    return out;
}

std::string describe(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::nothing:
            return "nothing";
        case YamlNode::Kind::text:
            return quoted(node.text);
        case YamlNode::Kind::list:
            return "a list";
        case YamlNode::Kind::map:
            return "a map";
    }
    return {};
}

std::string join(std::string_view path, std::string_view key) {
    std::string out;
    out.reserve(path.size() + key.size() + 1);
    out += path;
    if (!path.empty()) out += '.';
    out += key;
    return out;
}

}  // namespace

std::string quoted(std::string_view text) {
    const std::string_view shown = text.substr(0, kMostQuotedBytes);
    return "'" + printable(shown) + (shown.size() < text.size() ? "...'" : "'");
}

void Mistakes::add(std::size_t line, std::string_view path, std::string_view what) {
    if (list_.size() == kMostMistakes) return;
    const std::string_view shown = path.empty() ? "document" : path;
    const std::string message =
        fmt::format("{}: {}", shown.substr(0, kMostPathBytes), what.substr(0, kMostMessageBytes));
    list_.push_back({line, fmt::format("{}:{}: {}", name_, line, printable(message))});
}

Result<void> Mistakes::finish() const {
    if (list_.empty()) return {};
    std::vector<Mistake> sorted = list_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
    std::string what;
    for (const Mistake& mistake : sorted) what += (what.empty() ? "" : "\n") + mistake.text;
    return tl::unexpected(Error{Error::Code::unreadable, std::move(what)});
}

const std::vector<std::string>& Place::keys() const {
    static const std::vector<std::string> kNone;
    return node_ == nullptr ? kNone : node_->keys;
}

Place Place::at(std::string_view key) const {
    const YamlNode* value = node_ == nullptr ? nullptr : node_->find(key);
    return {value, join(path_, key), value == nullptr ? line_ : value->line, *mistakes_};
}

bool Place::has(std::string_view key) const {
    const YamlNode* value = node_ == nullptr ? nullptr : node_->find(key);
    return value != nullptr && value->kind != YamlNode::Kind::nothing;
}

Place Place::item(std::size_t index) const {
    const YamlNode* value = node_->items.at(index);
    const bool map = node_->kind == YamlNode::Kind::map;
    return {value, map ? join(path_, node_->keys[index]) : fmt::format("{}[{}]", path_, index),
            value->line, *mistakes_};
}

void Place::wrong(std::string_view needs) const {
    if (node_ == nullptr)
        mistake(fmt::format("missing; needs {}", needs));
    else
        mistake(fmt::format("{} is not right here; needs {}", describe(*node_), needs));
}

std::string Place::text(std::string_view needs) const {
    if (is_text()) return node_->text;
    wrong(needs);
    return {};
}

std::string_view Place::raw() const {
    return is_text() ? std::string_view(node_->text) : std::string_view();
}

bool Place::flag() const {
    if (!present()) return false;
    constexpr std::array<std::string_view, 5> kYes{"true", "yes", "on", "y", "1"};
    constexpr std::array<std::string_view, 5> kNo{"false", "no", "off", "n", "0"};
    const std::string word = lower(raw());
    if (std::find(kYes.begin(), kYes.end(), word) != kYes.end()) return true;
    if (std::find(kNo.begin(), kNo.end(), word) == kNo.end()) wrong("true or false");
    return false;
}

std::vector<std::string> Place::texts() const {
    if (!present()) return {};
    if (is_text()) return {node_->text};
    if (!is_list()) {
        wrong("a list of texts");
        return {};
    }
    std::vector<std::string> out;
    for (std::size_t i = 0; i < size(); ++i)
        if (std::string one = item(i).text(); !one.empty()) out.push_back(std::move(one));
    return out;
}

void Place::only_keys(std::span<const std::string_view> known) const {
    for (std::size_t i = 0; is_map() && i < size(); ++i) {
        std::string key = node_->keys[i];
        std::replace(key.begin(), key.end(), '-', '_');
        if (std::find(known.begin(), known.end(), key) == known.end())
            item(i).mistake(fmt::format("unknown key; the nearest known key is {}",
                                        quoted(nearest(key, known))));
    }
}

}  // namespace reference

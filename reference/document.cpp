// toml++ behind the strict reader. Keeps, for every opened table, the keys that were asked for.
// Does not stop at the first mistake, except where the text is not TOML at all.
// See document.hpp.
#include "reference/document.hpp"

// Its assertions fail on some texts that are no TOML, such as "[" at the end of a line; the errors
// that it reports without them are what we want.
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace reference {

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20U;
constexpr std::size_t kMaxQuotedBytes = 200;
constexpr std::int64_t kVersion = 1;

/// Control characters would break the rule of one line a message.
std::string clean(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, kMaxQuotedBytes))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return out + (text.size() > kMaxQuotedBytes ? "..." : "");
}

std::string quote(std::string_view text) {
    return "'" + clean(text) + "'";
}

std::string describe(const toml::node& node) {
    if (const auto* text = node.as_string()) return "the text " + quote(text->get());
    if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (node.is_table()) return "a table";
    if (node.is_array()) return "a list";
    return "a date or time";
}

std::string needs_integer(IntegerRange range) {
    const IntegerRange all;
    if (range.least == all.least && range.most == all.most) return "a whole number";
    if (range.most == all.most) return fmt::format("a whole number of at least {}", range.least);
    return fmt::format("a whole number from {} to {}", range.least, range.most);
}

std::string needs_number(NumberRange range) {
    const NumberRange all;
    if (range.least == all.least && range.most == all.most) return "a finite number";
    if (range.most == all.most) return fmt::format("a number of at least {}", range.least);
    return fmt::format("a number from {} to {}", range.least, range.most);
}

/// Levenshtein distance: how many letters to change, add or drop.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

std::string unknown_key(std::string_view key, const std::set<std::string, std::less<>>& known) {
    if (known.empty()) return "unknown key; no key is known here";
    const auto closer = [key](const std::string& a, const std::string& b) {
        return distance(key, a) < distance(key, b);
    };
    const std::string& nearest = *std::min_element(known.begin(), known.end(), closer);
    return fmt::format("unknown key; the nearest known key is {}", quote(nearest));
}

struct OpenTable {
    const toml::table* node = nullptr;  // null: the table is missing, which has been reported
    std::string path;                   // "" for the root
    std::set<std::string, std::less<>> asked;
};

struct Mistake {
    std::uint32_t line = 0;
    std::string text;
};

std::string join(std::string_view path, std::string_view key) {
    if (path.empty()) return std::string(key);
    return key.empty() ? std::string(path) : fmt::format("{}.{}", path, key);
}

}  // namespace

struct Table::State {
    std::string name;
    toml::table root;
    std::vector<OpenTable> tables;
    std::vector<Mistake> mistakes;

    void report(std::uint32_t line, std::string_view path, std::string_view what) {
        mistakes.push_back({line, fmt::format("{}:{}: {}: {}", name, line, clean(path), what)});
    }

    std::size_t open(const toml::table* node, std::string path) {
        for (std::size_t i = 0; node != nullptr && i < tables.size(); ++i)
            if (tables[i].node == node) return i;
        tables.push_back({node, std::move(path), {}});
        return tables.size() - 1;
    }

    /// The value of a key, which becomes known.
    const toml::node* find(std::size_t position, std::string_view key) {
        OpenTable& table = tables[position];
        table.asked.emplace(key);
        return table.node == nullptr ? nullptr : table.node->get(key);
    }

    void missing(std::size_t position, std::string_view key, std::string_view needs) {
        const OpenTable& table = tables[position];
        if (table.node == nullptr) return;
        report(table.node->source().begin.line, join(table.path, key),
               fmt::format("missing; needs {}", needs));
    }

    void wrong(const toml::node& node, std::string_view path, std::string_view needs) {
        report(node.source().begin.line, path,
               fmt::format("{} is not right here; needs {}", describe(node), needs));
    }

    std::string path_of(std::size_t position, std::string_view key) const {
        return join(tables[position].path, key);
    }

    std::optional<std::int64_t> integer_of(const toml::node& node, const std::string& path,
                                           IntegerRange range) {
        const auto* value = node.as_integer();
        if (value != nullptr && value->get() >= range.least && value->get() <= range.most)
            return value->get();
        wrong(node, path, needs_integer(range));
        return std::nullopt;
    }

    /// Lists of a name and of one to `most` whole numbers; `form` says so in messages.
    std::vector<NamedIntegers> named_lists_of(const toml::node& node, const std::string& path,
                                              IntegerRange range, std::size_t most) {
        const std::string_view form =
            most == 1 ? "a pair of a name and a whole number like [\"M\", 4]"
                      : "a name and one or two whole numbers like [\"M\", 4] or [\"M\", 4, 3]";
        const auto* list = node.as_array();
        if (list == nullptr) {
            wrong(node, path, "a list of pairs like [[\"M\", 4]]");
            return {};
        }
        std::vector<NamedIntegers> found;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const toml::node& entry = (*list)[i];
            const std::string entry_path = fmt::format("{}[{}]", path, i);
            const auto* items = entry.as_array();
            if (items == nullptr || items->size() < 2 || items->size() > 1 + most ||
                !(*items)[0].is_string()) {
                wrong(entry, entry_path, form);
                continue;
            }
            NamedIntegers& named = found.emplace_back();
            named.name = (*items)[0].ref<std::string>();
            for (std::size_t k = 1; k < items->size(); ++k)
                named.values.push_back(
                    integer_of((*items)[k], fmt::format("{}[{}]", entry_path, k), range)
                        .value_or(range.least));
        }
        return found;
    }

    std::vector<NamedInteger> pairs_of(const toml::node& node, const std::string& path,
                                       IntegerRange range) {
        std::vector<NamedInteger> pairs;
        for (NamedIntegers& named : named_lists_of(node, path, range, 1))
            pairs.push_back({std::move(named.name), named.values[0]});
        return pairs;
    }
};

std::optional<std::string> Table::optional_string(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    if (const auto* text = node->as_string()) return text->get();
    state_->wrong(*node, state_->path_of(position_, key), "a text in quotes");
    return std::string();
}

std::string Table::string(std::string_view key) const {
    const auto value = optional_string(key);
    if (!value) state_->missing(position_, key, "a text in quotes");
    return value.value_or("");
}

std::string Table::one_of(std::string_view key, std::span<const std::string_view> words) const {
    std::string needs = "one of";
    for (const std::string_view word : words) needs += fmt::format(" \"{}\"", word);
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) {
        state_->missing(position_, key, needs);
        return {};
    }
    const auto* text = node->as_string();
    if (text != nullptr && std::find(words.begin(), words.end(), text->get()) != words.end())
        return text->get();
    state_->wrong(*node, state_->path_of(position_, key), needs);
    return {};
}

std::optional<std::int64_t> Table::optional_integer(std::string_view key,
                                                    IntegerRange range) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    const auto value = state_->integer_of(*node, state_->path_of(position_, key), range);
    return value.value_or(range.least);
}

std::int64_t Table::integer(std::string_view key, IntegerRange range) const {
    const auto value = optional_integer(key, range);
    if (!value) state_->missing(position_, key, needs_integer(range));
    return value.value_or(range.least);
}

std::optional<double> Table::optional_number(std::string_view key, NumberRange range) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* number = node->as_floating_point()) value = number->get();
    if (const auto* whole = node->as_integer()) value = static_cast<double>(whole->get());
    if (std::isfinite(value) && value >= range.least && value <= range.most) return value;
    state_->wrong(*node, state_->path_of(position_, key), needs_number(range));
    return range.least;
}

double Table::number(std::string_view key, NumberRange range) const {
    const auto value = optional_number(key, range);
    if (!value) state_->missing(position_, key, needs_number(range));
    return value.value_or(range.least);
}

std::optional<bool> Table::optional_boolean(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    if (const auto* flag = node->as_boolean()) return flag->get();
    state_->wrong(*node, state_->path_of(position_, key), "true or false");
    return false;
}

bool Table::boolean(std::string_view key) const {
    const auto value = optional_boolean(key);
    if (!value) state_->missing(position_, key, "true or false");
    return value.value_or(false);
}

std::optional<std::vector<std::string>> Table::optional_strings(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    std::vector<std::string> out;
    const auto* list = node->as_array();
    if (list == nullptr) {
        state_->wrong(*node, state_->path_of(position_, key), "a list of texts");
        return out;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& entry = (*list)[i];
        if (const auto* text = entry.as_string())
            out.push_back(text->get());
        else
            state_->wrong(entry, fmt::format("{}[{}]", state_->path_of(position_, key), i),
                          "a text in quotes");
    }
    return out;
}

std::vector<std::string> Table::strings(std::string_view key) const {
    auto value = optional_strings(key);
    if (!value) state_->missing(position_, key, "a list of texts");
    return std::move(value).value_or(std::vector<std::string>());
}

std::optional<Table> Table::optional_table(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return std::nullopt;
    const std::string path = state_->path_of(position_, key);
    if (!node->is_table()) state_->wrong(*node, path, fmt::format("a table [{}]", path));
    return Table(state_, state_->open(node->as_table(), path));
}

Table Table::table(std::string_view key) const {
    auto value = optional_table(key);
    if (value) return *std::move(value);
    const std::string path = state_->path_of(position_, key);
    state_->missing(position_, key, fmt::format("a table [{}]", path));
    return Table(state_, state_->open(nullptr, path));
}

std::vector<Table> Table::optional_tables(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return {};
    const std::string path = state_->path_of(position_, key);
    const std::string needs = fmt::format("a list of tables [[{}]]", path);
    std::vector<Table> out;
    const auto* list = node->as_array();
    if (list == nullptr) {
        state_->wrong(*node, path, needs);
        return out;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& entry = (*list)[i];
        const std::string entry_path = fmt::format("{}[{}]", path, i);
        if (!entry.is_table()) state_->wrong(entry, entry_path, needs);
        out.push_back(Table(state_, state_->open(entry.as_table(), entry_path)));
    }
    return out;
}

std::vector<Table> Table::tables(std::string_view key) const {
    const toml::node* node = state_->find(position_, key);
    const std::string path = state_->path_of(position_, key);
    const std::string needs = fmt::format("at least one table [[{}]]", path);
    if (node == nullptr) state_->missing(position_, key, needs);
    if (node != nullptr && node->is_array() && node->as_array()->empty())
        state_->wrong(*node, path, needs);
    return optional_tables(key);
}

std::vector<NamedInteger> Table::optional_pairs(std::string_view key, IntegerRange range) const {
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) return {};
    return state_->pairs_of(*node, state_->path_of(position_, key), range);
}

std::vector<NamedInteger> Table::pairs(std::string_view key, IntegerRange range) const {
    if (!has(key)) state_->missing(position_, key, "a list of pairs like [[\"M\", 4]]");
    return optional_pairs(key, range);
}

std::vector<NamedIntegers> Table::one_or_two(std::string_view key, IntegerRange range) const {
    const toml::node* node = state_->find(position_, key);
    if (node != nullptr)
        return state_->named_lists_of(*node, state_->path_of(position_, key), range, 2);
    state_->missing(position_, key, "a list of pairs like [[\"M\", 4]]");
    return {};
}

std::vector<std::vector<NamedInteger>> Table::pair_lists(std::string_view key,
                                                         IntegerRange range) const {
    constexpr std::string_view kNeeds = "a list of lists of pairs like [[[\"M\", 1]]]";
    const toml::node* node = state_->find(position_, key);
    if (node == nullptr) {
        state_->missing(position_, key, kNeeds);
        return {};
    }
    const std::string path = state_->path_of(position_, key);
    const auto* list = node->as_array();
    if (list == nullptr) {
        state_->wrong(*node, path, kNeeds);
        return {};
    }
    std::vector<std::vector<NamedInteger>> out;
    for (std::size_t i = 0; i < list->size(); ++i)
        out.push_back(state_->pairs_of((*list)[i], fmt::format("{}[{}]", path, i), range));
    return out;
}

bool Table::has(std::string_view key) const {
    return state_->find(position_, key) != nullptr;
}

std::vector<std::string> Table::keys() const {
    const toml::table* node = state_->tables[position_].node;
    if (node == nullptr) return {};
    std::vector<std::pair<toml::source_position, std::string>> found;
    for (const auto& [key, value] : *node)
        found.emplace_back(key.source().begin, std::string(key.str()));
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
    });
    std::vector<std::string> names;
    for (auto& [position, name] : found) names.push_back(std::move(name));
    return names;
}

void Table::mistake(std::string_view key, std::string_view what) const {
    const OpenTable& table = state_->tables[position_];
    if (table.node == nullptr) return;  // the missing table has been reported
    const toml::node* value = table.node->get(key);
    const toml::node& place = value == nullptr ? *table.node : *value;
    state_->report(place.source().begin.line, join(table.path, key), what);
}

Result<Document> Document::parse(std::string_view text, std::string_view name) {
    toml::parse_result parsed = toml::parse(text, name);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return tl::unexpected(Error{Error::Code::unreadable,
                                    fmt::format("{}:{}: not a TOML document: {}", name,
                                                error.source().begin.line, error.description())});
    }
    auto state = std::make_shared<Table::State>();
    state->name = std::string(name);
    state->root = std::move(parsed).table();
    const Table root(state, state->open(&state->root, ""));
    (void)root.integer("version", {kVersion, kVersion});
    return Document(root);
}

Result<Document> Document::read(const std::filesystem::path& path) {
    const auto unreadable = [&](std::string_view why) {
        return tl::unexpected(Error{Error::Code::unreadable,
                                    fmt::format("cannot read {}: {}", quote(path.string()), why)});
    };
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) return unreadable(error.message());
    if (size > kMaxFileBytes) return unreadable("larger than 16 MiB");
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (size > 0) bytes << file.rdbuf();
    if (!file || !bytes) return unreadable("reading failed");
    return parse(bytes.view(), path.string());
}

Result<void> Document::finish() const {
    Table::State& state = *root_.state_;
    std::vector<Mistake> all = state.mistakes;
    for (const OpenTable& table : state.tables) {
        if (table.node == nullptr) continue;
        for (const auto& [key, value] : *table.node) {
            if (table.asked.contains(key.str())) continue;
            all.push_back({key.source().begin.line,
                           fmt::format("{}:{}: {}: {}", state.name, key.source().begin.line,
                                       clean(join(table.path, key.str())),
                                       unknown_key(key.str(), table.asked))});
        }
    }
    if (all.empty()) return {};
    std::stable_sort(all.begin(), all.end(),
                     [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
    std::string text;
    for (const Mistake& mistake : all) text += (text.empty() ? "" : "\n") + mistake.text;
    return tl::unexpected(Error{Error::Code::unreadable, std::move(text)});
}

}  // namespace reference

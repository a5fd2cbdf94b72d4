// Tests of reference/document.hpp.
// Not of the meaning of any document.
// Run by the unit suite.
#include "reference/document.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using reference::Document;

namespace {

Document parsed(std::string_view text) {
    auto document = Document::parse(text, "a.toml");
    REQUIRE(document.has_value());
    return *document;
}

std::string mistakes(const Document& document) {
    const auto done = document.finish();
    return done ? "" : done.error().what;
}

}  // namespace

TEST_CASE("document: typed values are read") {
    const Document document = parsed(R"(version = 1
title = "x"
count = 3
ratio = 0.5
whole = 2
yes = true
names = ["a", "b"]
loops = [["M", 4], ["N", 2]]
ranks = [[["P", 2], ["R", 1]], []]
[inner]
deep = 1
[[item]]
name = "first"
[[item]]
name = "second"
)");
    const auto root = document.root();
    CHECK(root.string("title") == "x");
    CHECK(root.integer("count", {1, 3}) == 3);
    CHECK(root.number("ratio", {0, 1}) == 0.5);
    CHECK(root.number("whole", {0, 2}) == 2);
    CHECK(root.boolean("yes"));
    CHECK(root.strings("names") == std::vector<std::string>{"a", "b"});
    CHECK(root.pairs("loops", {1}) == std::vector<reference::NamedInteger>{{"M", 4}, {"N", 2}});
    CHECK(root.pair_lists("ranks", {1}) ==
          std::vector<std::vector<reference::NamedInteger>>{{{"P", 2}, {"R", 1}}, {}});
    CHECK(root.table("inner").integer("deep", {}) == 1);
    const auto items = root.tables("item");
    REQUIRE(items.size() == 2);
    CHECK(items[0].string("name") == "first");
    CHECK(items[1].string("name") == "second");
    CHECK_FALSE(root.optional_string("absent").has_value());
    CHECK_FALSE(root.optional_table("no_table").has_value());
    CHECK(root.optional_tables("no_tables").empty());
    CHECK(mistakes(document) == "");
}

TEST_CASE("document: what is no TOML is an error, wherever the text breaks off") {
    const std::string whole =
        "version = 1\n[a.\"b c\"]\nd = { e = [1, 'x'] }\n[[f]]\ng = 1979-05-27\n";
    for (const char broken : std::string("[]{}=.,\"'\\\n\t #x1+-:\0\x7f\xff", 22)) {
        for (std::size_t at = 0; at <= whole.size(); ++at) {
            std::string text = whole;
            const auto inserted = Document::parse(text.insert(at, 1, broken), "a.toml");
            if (!inserted) CHECK(inserted.error().what.substr(0, 7) == "a.toml:");
            const auto cut = Document::parse(whole.substr(0, at) + broken, "a.toml");
            if (!cut) CHECK(cut.error().what.substr(0, 7) == "a.toml:");
        }
    }
    CHECK_FALSE(Document::parse("version = 1\n[\nx", "a.toml").has_value());
}

TEST_CASE("document: characters of every kind, in and outside of strings") {
    // One from each stretch that the TOML library looks at in its own way.
    for (const std::string_view character :
         {"\xc2\xa1", "\xc3\xa9", "\xcd\x8c", "\xd2\x99", "\xe2\xb1\x9e", "\xe3\x81\x81",
          "\xef\xae\x96", "\xef\xb7\xb7", "\xf0\x9f\x98\x80"}) {
        const std::string one(character);
        const Document inside =
            parsed("version = 1\n# " + one + "\nx = \"\"\"a\\\n  " + one + "\"\"\"\n");
        CHECK(inside.root().string("x") == "a" + one);
        const auto what = [](const std::string& text) {
            const auto document = Document::parse(text, "a.toml");
            return document ? "" : document.error().what.substr(0, 29);
        };
        CHECK(what("version = 1\nx = " + one) == "a.toml:2: not a TOML document");
        CHECK(what("version = 1\nx = 1" + one + "\n") == "a.toml:2: not a TOML document");
        CHECK(what("version = 1\nx = [1]" + one + " = 2\n") == "a.toml:2: not a TOML document");
    }
}

TEST_CASE("document: keys come in the order of the text") {
    const Document document = parsed("version = 1\n[d]\nM = 1\nA = 2\nZ = 3\nB = 4\n");
    const auto table = document.root().table("d");
    CHECK(table.keys() == std::vector<std::string>{"M", "A", "Z", "B"});
}

TEST_CASE("document: an unknown key is refused, with the nearest known one") {
    const Document document = parsed("version = 1\n[limits]\ncpu_msec = 5\nwall_ms = 3\n");
    const auto limits = document.root().table("limits");
    (void)limits.optional_integer("cpu_ms", {1});
    (void)limits.integer("wall_ms", {1});
    CHECK(mistakes(document) ==
          "a.toml:3: limits.cpu_msec: unknown key; the nearest known key is 'cpu_ms'");
}

TEST_CASE("document: an unasked table is an unknown key") {
    const Document document = parsed("version = 1\n[extra]\na = 1\n");
    CHECK(mistakes(document) == "a.toml:2: extra: unknown key; the nearest known key is 'version'");
}

TEST_CASE("document: all mistakes are collected in the order of the text") {
    const Document document = parsed(R"(version = 1
a = "text"
b = 7
c = 2.0
d = nan
e = 1
f = ["x", 3]
g = [["M", 0], ["N"]]
)");
    const auto root = document.root();
    (void)root.integer("c", {});
    (void)root.integer("a", {1, 9});
    (void)root.integer("b", {1, 5});
    (void)root.number("d", {});
    (void)root.boolean("e");
    (void)root.strings("f");
    (void)root.pairs("g", {1});
    (void)root.integer("h", {1});
    CHECK(mistakes(document) ==
          "a.toml:1: h: missing; needs a whole number of at least 1\n"
          "a.toml:2: a: the text 'text' is not right here; needs a whole number from 1 to 9\n"
          "a.toml:3: b: 7 is not right here; needs a whole number from 1 to 5\n"
          "a.toml:4: c: 2 is not right here; needs a whole number\n"
          "a.toml:5: d: nan is not right here; needs a finite number\n"
          "a.toml:6: e: 1 is not right here; needs true or false\n"
          "a.toml:7: f[1]: 3 is not right here; needs a text in quotes\n"
          "a.toml:8: g[0][1]: 0 is not right here; needs a whole number of at least 1\n"
          "a.toml:8: g[1]: a list is not right here; needs a pair of a name and a whole number "
          "like [\"M\", 4]");
}

TEST_CASE("document: what lies in a missing table is not reported again") {
    const Document document = parsed("version = 1\n");
    const auto table = document.root().table("limits");
    (void)table.integer("cpu_ms", {1});
    (void)table.table("deeper").string("name");
    CHECK(mistakes(document) == "a.toml:1: limits: missing; needs a table [limits]");
}

TEST_CASE("document: a table or list of the wrong kind is one mistake") {
    const Document document = parsed("version = 1\nlimits = 3\nitem = []\nlist = [1]\n");
    (void)document.root().table("limits").integer("cpu_ms", {1});
    (void)document.root().tables("item");
    (void)document.root().tables("list");
    CHECK(mistakes(document) ==
          "a.toml:2: limits: 3 is not right here; needs a table [limits]\n"
          "a.toml:3: item: a list is not right here; needs at least one table [[item]]\n"
          "a.toml:4: list[0]: 1 is not right here; needs a list of tables [[list]]");
}

TEST_CASE("document: words come from a closed list") {
    constexpr std::string_view kWords[] = {"exact", "sum"};
    const Document document = parsed("version = 1\na = \"sum\"\nb = \"summ\"\n");
    CHECK(document.root().one_of("a", kWords) == "sum");
    CHECK(document.root().one_of("b", kWords) == "");
    CHECK(mistakes(document) ==
          "a.toml:3: b: the text 'summ' is not right here; needs one of \"exact\" \"sum\"");
}

TEST_CASE("document: the version must be there and be 1") {
    CHECK(mistakes(parsed("")).find("version: missing") != std::string::npos);
    CHECK(mistakes(parsed("version = 2")).find("needs a whole number from 1 to 1") !=
          std::string::npos);
}

TEST_CASE("document: a reader's own mistake carries file, line and path") {
    const Document document = parsed("version = 1\n[a]\n[a.b]\nc = 1\n");
    const auto table = document.root().table("a").table("b");
    (void)table.integer("c", {});
    table.mistake("c", "there is no level 1");
    CHECK(mistakes(document) == "a.toml:4: a.b.c: there is no level 1");
}

TEST_CASE("document: text that is not TOML is refused with its line") {
    const auto broken = Document::parse("version = 1\na = = 2\n", "a.toml");
    REQUIRE_FALSE(broken.has_value());
    CHECK(broken.error().what.starts_with("a.toml:2: not a TOML document: "));
    CHECK_FALSE(Document::parse("version = 1\na = 1\na = 2\n", "a.toml").has_value());
}

TEST_CASE("document: a file that is not there is named") {
    const auto missing = Document::read("/nonexistent/task.toml");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().what ==
          "cannot read '/nonexistent/task.toml': No such file or directory");
}

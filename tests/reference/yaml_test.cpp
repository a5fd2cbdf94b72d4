// The tree of a YAML text, and numbers in it.
// Not for any document of ours or others.
// Run by the unit suite.
#include "reference/timeloop_number.hpp"
#include "reference/yaml_place.hpp"
#include "reference/yaml_tree.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>

namespace {

using reference::YamlNode;
using reference::YamlTree;

std::string why(std::string_view text) {
    const auto tree = YamlTree::parse(text, "f", 1);
    return tree ? "" : tree.error().what;
}

/// Compact text of a tree, for comparison.
std::string shown(const YamlNode& node) {
    std::string out = node.tag;
    if (node.kind == YamlNode::Kind::nothing) return out + "~";
    if (node.kind == YamlNode::Kind::text) return out + node.text;
    const bool map = node.kind == YamlNode::Kind::map;
    out += map ? '{' : '[';
    for (std::size_t i = 0; i < node.items.size(); ++i)
        out += (i == 0 ? "" : ",") + (map ? node.keys[i] + ":" : "") + shown(*node.items[i]);
    return out + (map ? '}' : ']');
}

std::string shown(std::string_view text) {
    const auto tree = YamlTree::parse(text, "f", 1);
    return tree ? shown(tree->root()) : tree.error().what;
}

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
}

}  // namespace

TEST_CASE("yaml: scalars, lists, maps, tags, lines") {
    CHECK(shown("a: 1\nb: [x, 'y z', \"\"]\nc: !Box {d: null}\n") ==
          "{a:1,b:[x,y z,],c:!Box{d:~}}");
    CHECK(shown("") == "~");
    CHECK(shown("{\"a\": [1, {\"b\": true}], \"c\\u0041\": 1e3}") == "{a:[1,{b:true}],cA:1e3}");
    CHECK(shown("- !Nothing\n- !!str 7\n- ! 8") == "[!Nothing~,7,8]");
    const auto tree = YamlTree::parse("a: 1\nb:\n  - c\n  - {word-bits: 3}\n", "f", 10);
    REQUIRE(tree.has_value());
    const YamlNode& root = tree->root();
    CHECK(root.find("b")->items[1]->line == 13);
    CHECK(root.find("b")->items[1]->find("word_bits")->text == "3");
    CHECK(root.find("d") == nullptr);
    CHECK(root.find("a")->find("x") == nullptr);
}

TEST_CASE("yaml: aliases and merged maps") {
    CHECK(shown("a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, q: 3, r: 4}\n") ==
          "{a:{p:1,q:2},b:{p:1,q:2},c:{q:3,r:4,p:1}}");
    CHECK(shown("a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n") ==
          "{a:{p:1},b:{p:2,q:2},c:{p:1,q:2}}");
    CHECK(shown("a: &x {p: {u: 1, v: 2}}\nb: {<<: *x, p: {u: 3}}\nc: {<<<: *x, p: {u: 3}}\n") ==
          "{a:{p:{u:1,v:2}},b:{p:{u:3}},c:{p:{u:3,v:2}}}");
    CHECK(why("a: *x\n") == "f:1: there is no '&x' complete before this alias");
    CHECK(why("a: &x [*x]\n") == "f:1: there is no '&x' complete before this alias");
    CHECK(why("a: &x 1\nb: {<<: *x}\n") == "f:1: '<<' needs a map to merge");
}

TEST_CASE("yaml: what is refused") {
    CHECK(why("a: 1\nb: 2\na: 3\n") == "f:3: 'a' stands twice in this map");
    CHECK(why("word-bits: 1\nword_bits: 2\n") == "f:2: 'word_bits' stands twice in this map");
    CHECK(why("{{include_text('a.yaml')}}\nb: 1\n") ==
          "f:1: a list or map as a key; needs a text; templates like {{...}} are not expanded");
    CHECK(why("a: 1\n---\nb: 2\n") == "f:2: a second document; needs one");
    CHECK(why("? [a]\n: 1\n") == "f:1: a list or map as a key; needs a text");
    CHECK(why("a: [1\n") == "f:2: this is not YAML: did not find expected ',' or ']'");
    CHECK(why(std::string("a: \xff\n")) == "f:1: this is not YAML: invalid leading UTF-8 octet");
    std::string many;
    for (int i = 0; i < 100; ++i) many += "k" + std::to_string(i) + ": 1\n";
    CHECK(why(many) == "");
    CHECK(why(many + "k7: 1\n") == "f:101: 'k7' stands twice in this map");
}

TEST_CASE("yaml: nesting and aliases are bounded") {
    CHECK(why(repeated("[", 64) + repeated("]", 64)) == "");
    CHECK(why(repeated("[", 65) + repeated("]", 65)) == "f:1: over 64 levels of nesting");
    CHECK(why(repeated("[", 100'000)) == "f:1: over 64 levels of nesting");
    // Depth by aliases: each line nests the one before twenty levels deeper.
    std::string deep = "a0: &a0 1\n";
    for (int i = 1; i < 5; ++i)
        deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " " + repeated("[", 20) +
                "*a" + std::to_string(i - 1) + repeated("]", 20) + "\n";
    CHECK(why(deep) == "f:5: over 64 levels of nesting");
    // The billion laughs: ten lines of nine aliases each.
    std::string wide = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 10; ++i)
        wide += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
                repeated("*a" + std::to_string(i - 1) + ",", 9) + "]\n";
    CHECK(why(wide) == "f:7: over 1048576 nodes, aliases written out; needs a smaller document");
    std::string merges = "a: &a {";
    for (int i = 0; i < 3000; ++i) merges += "k" + std::to_string(i) + ": 1, ";
    merges += "}\n";
    for (int i = 0; i < 3000; ++i) merges += "m" + std::to_string(i) + ": {<<: *a}\n";
    CHECK(why(merges) == "f:1: too many keys to merge; needs a smaller document");
}

TEST_CASE("yaml: numbers and simple arithmetic") {
    const auto tree = YamlTree::parse(
        "{a: 6, b: a * 2, c: 'c', loop: pool, pool: loop, big: 9223372036854775807, text: hello}",
        "f");
    REQUIRE(tree.has_value());
    const auto value = [&](std::string_view text) {
        reference::Mistakes mistakes("f");
        YamlNode node{.kind = YamlNode::Kind::text, .text = std::string(text)};
        const auto out = reference::number({&node, "x", 1, mistakes}, {&tree->root()});
        CHECK(out.has_value() == mistakes.none());
        return out.value_or(-999);
    };
    CHECK(value("42") == 42);
    CHECK(value("-1.5e1") == -15);
    CHECK(value(" 2 + 3 * 4 ") == 14);
    CHECK(value("(2 + 3) * 4 - -1") == 21);
    CHECK(value("2 ** 3 ** 2") == 512);
    CHECK(value("-2 ** 2") == -4);
    CHECK(value("7 // 2 + 7 % 4 + 1 / 4") == 6.25);
    CHECK(value("b + a") == 18);
    CHECK(value("ceil(7 / 2) + floor(3.9) + round(2.2) + int(2.9) + abs(0 - 1)") == 12);
    CHECK(value("max(1, a, 3) + min(4, 2) + log2(8) + pow(2, 3) + sqrt(9) + log10(100)") == 24);
    CHECK(value(".inf") == std::numeric_limits<double>::infinity());
    for (const auto* wrong : {"", "x", "text", "c", "loop", "1 +", "(1", "1 2", "sin(1)", "pow(2)",
                              "1 / 0", "0x10", "{{a}}", "max()", "2 ** 9999", "1e999"})
        CHECK_MESSAGE(value(wrong) == -999, wrong);
    CHECK(value(repeated("(", 5000) + "1") == -999);
    CHECK(value(repeated("-", 5000) + "1") == -999);

    const auto whole = [&](std::string_view text, std::int64_t least) {
        reference::Mistakes mistakes("f");
        YamlNode node{.kind = YamlNode::Kind::text, .text = std::string(text)};
        const auto out = reference::whole_number({&node, "x", 1, mistakes}, {&tree->root()}, least);
        CHECK(out.has_value() == mistakes.none());
        return out.value_or(-999);
    };
    CHECK(whole("9223372036854775807", 1) == std::numeric_limits<std::int64_t>::max());
    CHECK(whole("9223372036854775808", 1) == -999);
    CHECK(whole("16.0", 1) == 16);
    CHECK(whole("2.5", 1) == -999);
    CHECK(whole("0", 1) == -999);
    CHECK(whole("b / 4", 1) == 3);
}

TEST_CASE("yaml: JSON is read by a parser of its own, to the same tree") {
    // A comment in front is no JSON, so that the second reading is libyaml's.
    for (const std::string& json :
         {std::string(R"({"a": [1, -2.5e+3, {"b": true}, null, ""], "c": "x\"y\\z", "d-e": {}})"),
          std::string("{\n \"a\": [\n  1,\n\n  {\"b\": [[]]}\n ],\n\t\"c\": false }\n"),
          std::string("[[1], [[2]], \"~\", \"null\", \"{}\"]"), std::string(" [ ] ")}) {
        const auto fast = YamlTree::parse(json, "f", 1);
        const auto slow = YamlTree::parse("# no JSON\n" + json, "f", 0);
        REQUIRE((fast.has_value() && slow.has_value()));
        CHECK(shown(fast->root()) == shown(slow->root()));
        CHECK(fast->root().size == slow->root().size);
        CHECK(fast->root().depth == slow->root().depth);
        CHECK(fast->root().items.size() == slow->root().items.size());
        for (std::size_t i = 0; i < fast->root().items.size(); ++i)
            CHECK(fast->root().items[i]->line == slow->root().items[i]->line);
    }
    // What is YAML but no JSON, and what is neither.
    CHECK(shown("{a: 1, 'b': 2}") == "{a:1,b:2}");
    CHECK(shown("{\"a\": 01x}") == "{a:01x}");
    CHECK(shown("{\"a\": \"\\u00e9\"}") == "{a:\xc3\xa9}");
    CHECK(shown("{\"x\": &y {\"a\": 1}, \"z\": {\"<<\": *y}}") == "{x:{a:1},z:{a:1}}");
    CHECK(why("{\"a\": 1, \"a\": 2}") == "f:1: 'a' stands twice in this map");
    CHECK(why("{\"a\": 1}\n{\"b\": 2}") ==
          "f:2: this is not YAML: did not find expected <document start>");
    CHECK(why("[" + repeated("[", 64) + repeated("]", 64) + "]") ==
          "f:1: over 64 levels of nesting");
}

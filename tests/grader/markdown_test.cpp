// Tests of grader/markdown.hpp; the examples that name a number are those of CommonMark 0.31.
// Not of the choice among blocks (extract_test.cpp).
// Run by the unit suite.
#include "grader/markdown.hpp"

#include <doctest/doctest.h>

#include <string>

using grader::read_markdown;

namespace {

/// "info|content" of every block, "?" where it is not closed.
std::string blocks(std::string_view text) {
    std::string all;
    for (const auto& block : read_markdown(text).blocks)
        all += block.info + "|" + block.content + (block.closed ? "" : "?") + ";";
    return all;
}

}  // namespace

TEST_CASE("markdown: fences of CommonMark, section 4.5") {
    CHECK(blocks("```\n<\n >\n```\n") == "|<\n >\n;");                                  // 119
    CHECK(blocks("~~~\n<\n >\n~~~\n") == "|<\n >\n;");                                  // 120
    CHECK(blocks("``\nfoo\n``\n").empty());                                             // 121
    CHECK(blocks("```\naaa\n~~~\n```\n") == "|aaa\n~~~\n;");                            // 122
    CHECK(blocks("~~~\naaa\n```\n~~~\n") == "|aaa\n```\n;");                            // 123
    CHECK(blocks("````\naaa\n```\n``````\n") == "|aaa\n```\n;");                        // 124
    CHECK(blocks("`````\n\n```\naaa\n") == "|\n```\naaa\n?;");                          // 127
    CHECK(blocks("> ```\n> aaa\n\nbbb\n") == "|aaa\n;");                                // 128
    CHECK(blocks(" ```\n aaa\naaa\n```\n") == "|aaa\naaa\n;");                          // 131
    CHECK(blocks("  ```\naaa\n  aaa\naaa\n  ```\n") == "|aaa\naaa\naaa\n;");            // 132
    CHECK(blocks("   ```\n   aaa\n    aaa\n  aaa\n   ```\n") == "|aaa\n aaa\naaa\n;");  // 133
    CHECK(blocks("    ```\n    aaa\n    ```\n").empty());                               // 134
    CHECK(blocks("```\naaa\n  ```\n") == "|aaa\n;");                                    // 135
    CHECK(blocks("```\naaa\n    ```\n") == "|aaa\n    ```\n?;");                        // 137
    CHECK(blocks("``` ```\naaa\n").empty());                                            // 138
    CHECK(blocks("~~~~~~\naaa\n~~~ ~~\n") == "|aaa\n~~~ ~~\n?;");                       // 139
    CHECK(blocks("foo\n```\nbar\n```\nbaz\n") == "|bar\n;");                            // 140
    CHECK(blocks("~~~~    ruby startline=3 $%@#$\ndef\n~~~~~~~\n") ==
          "ruby startline=3 $%@#$|def\n;");                              // 143
    CHECK(blocks("``` aa ```\nfoo\n").empty());                          // 145
    CHECK(blocks("~~~ aa ``` ~~~\nfoo\n~~~\n") == "aa ``` ~~~|foo\n;");  // 146
    CHECK(blocks("```\n``` aaa\n```\n") == "|``` aaa\n;");               // 147
}

TEST_CASE("markdown: list items and quotes around fences") {
    CHECK(blocks("- ```\n  a\n  ```\n") == "|a\n;");
    CHECK(blocks("- x\n\n  ```\n  a\n\n   b\n  ```\n") == "|a\n\n b\n;");
    CHECK(blocks("10. x\n\n    ```\n    a\n    ```\n") == "|a\n;");
    CHECK(blocks("- a\n  - b\n\n    ```\n    c\n    ```\n") == "|c\n;");
    CHECK(blocks("- a\n  > ```\n  > c\n  > ```\n") == "|c\n;");
    // Less indented than the item: the item ends, and the block with it.
    CHECK(blocks("- ```\n  a\nb\n") == "|a\n;");
    CHECK(blocks("-\ta\n\n\t```\n\tc\n\t```\n") == "|c\n;");
    // A lazy line continues the paragraph, not more.
    CHECK(blocks("- a\nb\n\n  ```\n  c\n  ```\n") == "|c\n;");
    CHECK(blocks("> a\n```\nb\n```\n") == "|b\n;");
}

TEST_CASE("markdown: half a tab of indentation becomes spaces") {
    CHECK(blocks("  ```\n\ta\n  ```\n") == "|  a\n;");
    CHECK(blocks("```\n\ta\n```\n") == "|\ta\n;");
}

TEST_CASE("markdown: where the text after reasoning starts, and how many fences it has") {
    const auto read = read_markdown("<think>x</think>abc\n```\n");
    CHECK(read.text_begin == 16);
    CHECK(read.first_fence == 20);
    CHECK(read.fence_lines == 1);
    CHECK(read.reasoning_cut);
    CHECK_FALSE(read.unclosed_reasoning);
    CHECK(read_markdown("a\n<think>b").unclosed_reasoning);
    CHECK_FALSE(read_markdown("a `<think>` b").reasoning_cut);
    CHECK(blocks("<think>```\na</think>\n```\nb\n```") == "|b\n;");
}

TEST_CASE("markdown: more containers than the limit are text") {
    std::string deep;
    for (int i = 0; i < 1000; ++i) deep += "> ";
    CHECK(blocks(deep + "```\n").empty());
}

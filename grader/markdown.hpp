// Reads a reply as Markdown: cuts reasoning sections, finds fenced blocks. One linear scan.
// Does not decide which block is the answer and changes no byte of code but its indentation.
// Called by extract.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A fenced block. Its content is what CommonMark makes of it: container prefixes and at most the
/// fence's own indentation are removed, line ends are kept as they are.
struct FencedBlock {
    std::string info;  // trimmed info string, "" if untagged
    std::string content;
    bool closed = true;  // false: the reply ended within it
};

struct Markdown {
    std::vector<FencedBlock> blocks;  // without empty closed ones
    std::uint64_t fence_lines = 0;    // opening and closing ones
    std::size_t text_begin = 0;       // after the last reasoning section, in the text given
    std::size_t first_fence = 0;      // offset of the first fence line after it
    bool reasoning_cut = false;       // at least one section was cut
    bool unclosed_reasoning = false;  // the reply ended within one
};

/// Shape: fences of three or more backticks or tildes, closed by the same sign at least as long, in
///        block quotes and list items too; LF, CRLF and lone CR end lines.
/// Reasoning: a known tag opens a section where a closing one follows, or at the start of a line;
///        without a closing one it lasts to the end. A closing tag that nothing opened cuts all
///        before it. Tags within code spans and within fenced lines are text.
/// Not read: HTML blocks, setext headings, containers nested deeper than 32.
Markdown read_markdown(std::string_view text);

}  // namespace grader

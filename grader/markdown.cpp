// Lines, containers (quotes, list items) and fences after CommonMark 0.31,
// sections 2.2, 4.5, 5.1, 5.2. Does not parse inlines, except the parity of backticks before a
// reasoning tag. See markdown.hpp.
#include "grader/markdown.hpp"

#include "grader/reasoning.hpp"

#include <algorithm>
#include <optional>

namespace grader {

namespace {

constexpr std::size_t kMaxContainers = 32;

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Without terminal escapes (CSI): some servers colour their output. For structure only.
std::string without_escapes(std::string_view line) {
    std::string clean;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') {
            clean += line[at];
            continue;
        }
        at += 2;
        while (at < line.size() && (line[at] < 0x40 || line[at] > 0x7E)) ++at;
    }
    return clean;
}

/// A place in a line that counts columns: a tab reaches to the next multiple of four.
class Cursor {
  public:
    explicit Cursor(std::string_view line) : line_(line) {}

    /// Columns of white space from here on.
    std::size_t indent() const {
        std::size_t column = column_ + pending_;
        for (std::size_t at = at_; at < line_.size() && is_blank(line_[at]); ++at)
            column += line_[at] == '\t' ? 4 - column % 4 : 1;
        return column - column_;
    }
    bool blank() const { return line_.find_first_not_of(" \t", at_) == std::string_view::npos; }

    /// Skips up to `columns` columns of white space; half a tab stays pending.
    void skip(std::size_t columns) {
        while (columns > 0) {
            if (pending_ == 0) {
                if (at_ >= line_.size() || !is_blank(line_[at_])) return;
                pending_ = line_[at_] == '\t' ? 4 - column_ % 4 : 1;
                ++at_;
            }
            const std::size_t step = std::min(columns, pending_);
            pending_ -= step;
            column_ += step;
            columns -= step;
        }
    }
    /// Skips `count` characters that are no white space.
    void take(std::size_t count) {
        at_ += count;
        column_ += count;
    }
    std::string_view rest() const { return line_.substr(at_); }
    /// Rest of the line, the remainder of a split tab as spaces.
    void append_to(std::string& out) const {
        out.append(pending_, ' ');
        out += rest();
    }

  private:
    std::string_view line_;
    std::size_t at_ = 0;
    std::size_t column_ = 0;
    std::size_t pending_ = 0;
};

struct Container {
    bool quote = false;
    std::size_t width = 0;  // of a list item: columns up to its content
};

struct Fence {
    char sign = '`';
    std::size_t length = 0;
    std::size_t indent = 0;
    std::size_t depth = 0;  // containers around it
};

bool enter(Cursor& cursor, const Container& container) {
    if (container.quote) {
        Cursor ahead = cursor;
        if (ahead.indent() > 3) return false;
        ahead.skip(3);
        if (!ahead.rest().starts_with('>')) return false;
        ahead.take(1);
        ahead.skip(1);
        cursor = ahead;
        return true;
    }
    if (cursor.blank()) {
        cursor.skip(container.width);
        return true;
    }
    if (cursor.indent() < container.width) return false;
    cursor.skip(container.width);
    return true;
}

/// Length of `-`, `1.` and the like at the start of `text`; 0 if there is none.
std::size_t list_marker(std::string_view text) {
    std::size_t length = 0;
    if (text.starts_with('-') || text.starts_with('+') || text.starts_with('*')) {
        length = 1;
    } else {
        while (length < text.size() && length < 10 && text[length] >= '0' && text[length] <= '9')
            ++length;
        if (length == 0 || length == 10 || length == text.size()) return 0;
        if (text[length] != '.' && text[length] != ')') return 0;
        ++length;
    }
    return length == text.size() || is_blank(text[length]) ? length : 0;
}

/// A container that starts here; the cursor is moved into it.
std::optional<Container> open_container(Cursor& cursor) {
    const std::size_t indent = cursor.indent();
    if (indent > 3) return std::nullopt;
    Cursor ahead = cursor;
    ahead.skip(indent);
    if (ahead.rest().starts_with('>')) {
        ahead.take(1);
        ahead.skip(1);
        cursor = ahead;
        return Container{true, 0};
    }
    const std::size_t marker = list_marker(ahead.rest());
    if (marker == 0) return std::nullopt;
    ahead.take(marker);
    std::size_t space = ahead.indent();
    if (space > 4 || ahead.blank()) space = 1;
    ahead.skip(space);
    cursor = ahead;
    return Container{false, indent + marker + space};
}

std::size_t run_of(std::string_view text, char sign) {
    const auto end = text.find_first_not_of(sign);
    return end == std::string_view::npos ? text.size() : end;
}

struct Opening {
    Fence fence;
    std::string_view info;
};

std::optional<Opening> opening_fence(Cursor cursor) {
    const std::size_t indent = cursor.indent();
    if (indent > 3) return std::nullopt;
    cursor.skip(indent);
    const std::string_view text = cursor.rest();
    if (text.empty() || (text[0] != '`' && text[0] != '~')) return std::nullopt;
    const std::size_t length = run_of(text, text[0]);
    if (length < 3) return std::nullopt;
    const std::string_view info = text.substr(length);
    if (text[0] == '`' && info.find('`') != std::string_view::npos) return std::nullopt;
    return Opening{{text[0], length, indent, 0}, trim(info)};
}

bool closes(Cursor cursor, const Fence& fence) {
    const std::size_t indent = cursor.indent();
    if (indent > 3) return false;
    cursor.skip(indent);
    const std::string_view text = cursor.rest();
    const std::size_t length = run_of(text, fence.sign);
    return length >= fence.length && trim(text.substr(length)).empty();
}

class Scan {
  public:
    explicit Scan(std::string_view text) : text_(text) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        out_.text_begin = at_;
        out_.first_fence = text_.size();
    }

    Markdown run() {
        while (at_ < text_.size()) {
            // After a tag the rest of its line is read as a line; its end is known already.
            if (at_ >= next_) find_line_end();
            line_begin_ = at_;
            step();
        }
        if (fence_) close(false);
        return std::move(out_);
    }

  private:
    void find_line_end() {
        line_end_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
        next_ = line_end_;
        if (text_.substr(next_).starts_with("\r\n"))
            next_ += 2;
        else if (next_ < text_.size())
            ++next_;
    }

    void step() {
        if (fence_) {
            const auto tag = tag_alone_on_line();
            if (tag && tag->closes) return cut_before(tag->end);
        } else if (const auto tag = tag_in_line()) {
            if (tag->closes) return cut_before(tag->end);
            return skip_section(*tag);
        }
        read_line(text_.substr(at_, line_end_ - at_));
        at_ = next_;
    }

    std::optional<ReasoningTag> tag_alone_on_line() const {
        const auto tag = find_reasoning_tag(text_, at_, line_end_);
        if (!tag) return std::nullopt;
        const std::string_view before = text_.substr(at_, tag->begin - at_);
        const std::string_view after = text_.substr(tag->end, line_end_ - tag->end);
        return trim(before).empty() && trim(after).empty() ? tag : std::nullopt;
    }

    /// The first tag of this line that counts.
    std::optional<ReasoningTag> tag_in_line() {
        std::size_t counted = at_;
        std::size_t ticks = 0;
        for (auto tag = find_reasoning_tag(text_, at_, line_end_); tag;
             tag = find_reasoning_tag(text_, tag->end, line_end_)) {
            ticks += static_cast<std::size_t>(
                std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted),
                           text_.begin() + static_cast<std::ptrdiff_t>(tag->begin), '`'));
            counted = tag->begin;
            if (ticks % 2 != 0) continue;  // within a code span
            if (tag->closes) return tag;
            const bool first = trim(text_.substr(at_, tag->begin - at_)).empty();
            if (first || closing_after(tag->end)) return tag;
        }
        return std::nullopt;
    }

    /// The next closing tag; remembered, so that many openings cost one search.
    const std::optional<ReasoningTag>& closing_after(std::size_t from) {
        if (!searched_ || (closing_ && closing_->begin < from)) {
            closing_ = find_closing_tag(text_, from);
            searched_ = true;
        }
        return closing_;
    }

    void cut_before(std::size_t end) {
        fence_.reset();
        out_.blocks.clear();
        out_.fence_lines = 0;
        leave_section(end);
    }

    void skip_section(const ReasoningTag& tag) {
        read_line(text_.substr(at_, tag.begin - at_));
        const auto& closing = closing_after(tag.end);
        if (closing) return leave_section(closing->end);
        out_.unclosed_reasoning = true;
        leave_section(text_.size());
    }

    void leave_section(std::size_t end) {
        out_.reasoning_cut = true;
        at_ = end;
        containers_.clear();
        paragraph_ = false;
        if (out_.fence_lines == 0) {
            out_.text_begin = end;
            out_.first_fence = text_.size();
        }
    }

    void read_line(std::string_view line) {
        std::string clean;
        if (line.find('\x1b') != std::string_view::npos) clean = without_escapes(line);
        Cursor cursor(clean.empty() ? line : std::string_view(clean));
        Cursor raw(line);
        std::size_t depth = 0;
        while (depth < containers_.size() && enter(cursor, containers_[depth])) {
            if (!clean.empty()) enter(raw, containers_[depth]);
            ++depth;
        }
        if (clean.empty()) raw = cursor;
        if (fence_ && depth >= fence_->depth) return read_fenced(cursor, raw);
        if (fence_) close(true);  // the container that held it has ended
        read_outside(cursor, depth);
    }

    void read_fenced(const Cursor& cursor, Cursor raw) {
        if (closes(cursor, *fence_)) {
            ++out_.fence_lines;
            return close(true);
        }
        raw.skip(std::min(fence_->indent, raw.indent()));
        raw.append_to(open_.content);
        open_.content += text_.substr(line_end_, next_ - line_end_);
    }

    void read_outside(Cursor cursor, std::size_t depth) {
        if (cursor.blank()) {
            // A quote ends at a line without its sign; a list item lives on.
            if (depth < containers_.size()) containers_.resize(depth);
            paragraph_ = false;
            return;
        }
        std::vector<Container> opened;
        while (depth + opened.size() < kMaxContainers) {
            const auto container = open_container(cursor);
            if (!container) break;
            opened.push_back(*container);
        }
        const auto opening = opening_fence(cursor);
        const bool lazy = paragraph_ && opened.empty() && !opening && depth < containers_.size() &&
                          !cursor.rest().starts_with('#');
        if (!lazy) {
            containers_.resize(depth);
            containers_.insert(containers_.end(), opened.begin(), opened.end());
        }
        paragraph_ = !opening && !cursor.blank();
        if (opening) open(*opening);
    }

    void open(const Opening& opening) {
        if (out_.fence_lines++ == 0) out_.first_fence = line_begin_;
        fence_ = opening.fence;
        fence_->depth = containers_.size();
        open_ = FencedBlock{std::string(opening.info), {}, true};
    }

    void close(bool closed) {
        open_.closed = closed;
        if (!closed || !trim(open_.content).empty()) out_.blocks.push_back(std::move(open_));
        fence_.reset();
        paragraph_ = false;
    }

    std::string_view text_;
    std::size_t at_ = 0;  // what is not read yet; may lie within a line, after a tag
    std::size_t line_begin_ = 0, line_end_ = 0, next_ = 0;
    std::vector<Container> containers_;
    std::optional<Fence> fence_;
    FencedBlock open_;
    bool paragraph_ = false;
    bool searched_ = false;
    std::optional<ReasoningTag> closing_;
    Markdown out_;
};

}  // namespace

Markdown read_markdown(std::string_view text) {
    return Scan(text).run();
}

}  // namespace grader

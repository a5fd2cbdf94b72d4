// stderr, and nothing but stderr.
// Keeps no state but what a progress line needs.
// See log.hpp.
#include "tools/log.hpp"

#include "reference/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace tools {

namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

void print(std::string_view level, std::string_view text) {
    fmt::print(stderr, "perfjudge: {}{}\n", level, text);
}

}  // namespace

void log_error(std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        print("error: ", reference::printable(text.substr(at, end - at)));
        at = end + 1;
    }
}

void log_warning(std::string_view text) {
    print("warning: ", text);
}

void log_note(std::string_view text) {
    print("", text);
}

bool wants_colour(int fd) {
    // Any value counts, as no-color.org asks, but an empty one.
    const char* no_color = std::getenv("NO_COLOR");
    return ::isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0');
}

ProgressLine::ProgressLine() : visible_(wants_colour(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
    if (visible_) fmt::print(stderr, "{}", kClearLine);
}

void ProgressLine::show(std::string_view text) {
    if (!visible_) return;
    fmt::print(stderr, "{}{}", kClearLine, text);
    (void)std::fflush(stderr);
}

}  // namespace tools

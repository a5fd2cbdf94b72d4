// Messages for people, on stderr, with a level.
// Results never come this way: they go to stdout.
// Used by tools/cmd_*.cpp and main.cpp.
#pragma once

#include <string_view>

namespace tools {

/// "error: ..." and why. Each line of `text` is one of its own, as several mistakes in a file are;
/// names in it may come from files: no control bytes of theirs reach a terminal.
void log_error(std::string_view text);
void log_warning(std::string_view text);
void log_note(std::string_view text);

/// Whether colour is wanted on a descriptor: a terminal, and NO_COLOR is not set.
bool wants_colour(int fd);

/// One line on a terminal that is written over again and again; nothing anywhere else.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  // clears it
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ProgressLine(ProgressLine&&) = delete;
    ProgressLine& operator=(ProgressLine&&) = delete;
    [[nodiscard]] bool visible() const { return visible_; }
    void show(std::string_view text);

  private:
    bool visible_ = false;
};

}  // namespace tools

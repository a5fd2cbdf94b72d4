// Lines in and lines out over two descriptors, each read and written whole.
// Does not know what a line means; owns neither descriptor.
// Used by worker.cpp.
#pragma once

#include "grader/error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace grader {

class LineChannel {
  public:
    LineChannel(int in_fd, int out_fd) : in_(in_fd), out_(out_fd) {}

    /// The next line without its newline; none at the end. Waits.
    /// Errors: bad_input for a line without an end or over 1 GiB; judge_error if reading fails.
    Result<std::optional<std::string>> receive();
    /// `line` and a newline.
    Result<void> send(std::string_view line);
    /// Whether nobody reads what is sent: the other side has closed, or died.
    bool closed() const;

  private:
    int in_, out_;
    std::string buffer_;
    std::size_t searched_ = 0;  // no newline before this place of buffer_
};

}  // namespace grader

// Frames between the library and the helper: a type, a body, descriptors.
// Does not know what a frame means: helper_protocol.hpp does.
// Used by jail.cpp and by helper/main.cpp; both sides are trusted, lengths are checked all the
// same.
#pragma once

#include "sandbox/unique_fd.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox::wire {

/// Appends numbers and strings to a body.
class Writer {
  public:
    Writer& number(std::uint64_t value);
    Writer& text(std::string_view value);
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Takes them out again. After a reading beyond the end `ok()` is false and values are zero or
/// empty.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    std::uint64_t number();
    std::string_view text();
    /// A count of things of which each needs at least one byte: never more than is left.
    std::uint64_t count();
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool finished() const { return ok_ && rest_.empty(); }

  private:
    std::string_view rest_;
    bool ok_ = true;
};

struct Frame {
    std::uint32_t type = 0;
    std::string body;
    std::vector<UniqueFd> fds;
};

constexpr std::uint32_t kMaxBody = 1U << 30U;
constexpr std::size_t kMaxFds = 4;

/// False if the other side is gone (errno says more).
bool send(int socket, std::uint32_t type, std::string_view body, std::span<const int> fds = {});
/// Blocks for one frame. False if the other side is gone or broke the form.
bool receive(int socket, Frame& frame);

}  // namespace sandbox::wire

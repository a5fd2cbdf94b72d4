// Blocking reads and writes, complete or an error.
// Parses nothing.
// See line_channel.hpp.
#include "grader/line_channel.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace grader {

namespace {

constexpr std::size_t kLineBytes = std::size_t{1} << 30U;

tl::unexpected<Error> broken(std::string_view what) {
    return tl::unexpected(
        Error{Error::Code::judge_error, fmt::format("{}: {}", what, std::strerror(errno))});
}

}  // namespace

Result<std::optional<std::string>> LineChannel::receive() {
    std::array<char, 1U << 16U> chunk;
    for (;;) {
        const std::size_t end = buffer_.find('\n', searched_);
        if (end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            searched_ = 0;
            return line;
        }
        searched_ = buffer_.size();
        const ssize_t got = ::read(in_, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return broken("cannot read from the coordinator");
        if (got == 0 && buffer_.empty()) return std::nullopt;
        if (got == 0 || buffer_.size() > kLineBytes)
            return tl::unexpected(Error{Error::Code::bad_input, "a line without an end"});
        buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

Result<void> LineChannel::send(std::string_view line) {
    std::string bytes(line);
    bytes += '\n';
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put = ::write(out_, bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return broken("cannot write to the coordinator");
        done += static_cast<std::size_t>(put);
    }
    return {};
}

bool LineChannel::closed() const {
    pollfd state{out_, 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

}  // namespace grader

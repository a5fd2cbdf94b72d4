// Framing on a stream socket: an 8-byte header with which descriptors travel, then the body.
// Does not interpret bodies.
// See wire.hpp.
#include "sandbox/wire.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

namespace sandbox::wire {

Writer& Writer::number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
    return *this;
}

Writer& Writer::text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
    return *this;
}

std::uint64_t Reader::number() {
    if (!ok_ || rest_.size() < 8) {
        ok_ = false;
        return 0;
    }
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value |= static_cast<std::uint64_t>(
                     static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)]))
                 << (8 * i);
    rest_.remove_prefix(8);
    return value;
}

std::string_view Reader::text() {
    const std::uint64_t size = number();
    if (!ok_ || size > rest_.size()) {
        ok_ = false;
        return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
}

std::uint64_t Reader::count() {
    const std::uint64_t value = number();
    if (value > rest_.size()) ok_ = false;
    return ok_ ? value : 0;
}

namespace {

struct Header {
    std::uint32_t type = 0;
    std::uint32_t size = 0;
};

constexpr std::size_t kControlSize = CMSG_SPACE(sizeof(int) * kMaxFds);

bool send_all(int socket, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t n = ::send(socket, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

bool receive_all(int socket, char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t n = ::recv(socket, data, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

void take_descriptors(msghdr& message, std::vector<UniqueFd>& fds) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
            fds.emplace_back(fd);
        }
    }
}

}  // namespace

bool send(int socket, std::uint32_t type, std::string_view body, std::span<const int> fds) {
    if (body.size() > kMaxBody || fds.size() > kMaxFds) {
        errno = EMSGSIZE;
        return false;
    }
    Header header{type, static_cast<std::uint32_t>(body.size())};
    std::array<iovec, 2> parts{iovec{&header, sizeof header},
                               iovec{const_cast<char*>(body.data()), body.size()}};
    alignas(cmsghdr) std::array<char, kControlSize> control{};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (!fds.empty()) {
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
        cmsghdr* c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
        std::memcpy(CMSG_DATA(c), fds.data(), sizeof(int) * fds.size());
    }
    ssize_t n = 0;
    do {
        n = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    if (n < static_cast<ssize_t>(sizeof header)) return false;  // headers are never split: 8 bytes
    const std::size_t sent = static_cast<std::size_t>(n) - sizeof header;
    return send_all(socket, body.data() + sent, body.size() - sent);
}

bool receive(int socket, Frame& frame) {
    Header header;
    iovec part{&header, sizeof header};
    alignas(cmsghdr) std::array<char, kControlSize> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t n = 0;
    do {
        n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    } while (n < 0 && errno == EINTR);
    frame.fds.clear();
    take_descriptors(message, frame.fds);
    if (n != static_cast<ssize_t>(sizeof header) || header.size > kMaxBody) return false;
    frame.type = header.type;
    frame.body.resize(header.size);
    return receive_all(socket, frame.body.data(), header.size);
}

}  // namespace sandbox::wire

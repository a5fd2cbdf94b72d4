// sendmsg and recvmsg with SCM_RIGHTS.
// Does not retry: the sockets of a jail have one message in flight.
// See raw_socket.hpp.
#include "sandbox/helper/raw_socket.hpp"

#include "sandbox/helper/sys.hpp"

#include <sys/socket.h>

namespace sandbox {

using sys::address;
using sys::call;

namespace {

constexpr std::size_t kControlSize = CMSG_SPACE(sizeof(int) * kMaxMessageFds);

void copy_fds(int* to, const int* from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
}

}  // namespace

long send_message(int socket, const iovec* parts, std::size_t count, const int* fds, int fd_count) {
    alignas(cmsghdr) char control[kControlSize];
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = count;
    if (fd_count > 0) {
        const auto size = sizeof(int) * static_cast<std::size_t>(fd_count);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(size);
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        copy_fds(reinterpret_cast<int*>(CMSG_DATA(header)), fds, fd_count);
    }
    return call(SYS_sendmsg, socket, address(&message), MSG_NOSIGNAL);
}

long receive_message(int socket, const iovec& buffer, int* fds, int* fd_count, int flags) {
    alignas(cmsghdr) char control[kControlSize];
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(&buffer);
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const long size = call(SYS_recvmsg, socket, address(&message), MSG_CMSG_CLOEXEC | flags);
    *fd_count = 0;
    if (size <= 0) return size;
    const cmsghdr* header =
        message.msg_controllen >= sizeof(cmsghdr) ? CMSG_FIRSTHDR(&message) : nullptr;
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        *fd_count = static_cast<int>((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        copy_fds(fds, reinterpret_cast<const int*>(CMSG_DATA(header)), *fd_count);
    }
    return size;
}

}  // namespace sandbox

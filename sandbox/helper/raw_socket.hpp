// Messages with descriptors on a SEQPACKET socket, without a C library.
// Does not interpret them: init_wire.hpp does.
// Used by the keeper, by init and by zygotes.
#pragma once

#include <cstddef>

struct iovec;

namespace sandbox {

constexpr int kMaxMessageFds = 12;

/// Sends the parts as one message. Returns its size, or -errno.
long send_message(int socket, const iovec* parts, std::size_t count, const int* fds, int fd_count);

/// Receives one message into `buffer`; descriptors (close-on-exec) go to `fds`, which has room for
/// kMaxMessageFds. Returns its size, 0 at the end, or -errno.
long receive_message(int socket, const iovec& buffer, int* fds, int* fd_count, int flags = 0);

}  // namespace sandbox

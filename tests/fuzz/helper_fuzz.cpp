// Fuzz harness of what worker and helper say to each other: frames on a socket, and every message
// in them. What is read is written and read back as the same bytes. Holds no main: libFuzzer brings
// one, or replay.cpp. Built by tests/fuzz/meson.build.
#include "sandbox/helper_protocol.hpp"
#include "tests/fuzz/harness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace proto = sandbox::helper_protocol;

namespace {

/// A message that is accepted has one form: its encoding is accepted again, and stays as it is.
template <class Message>
void check_message(std::string_view body) {
    Message message;
    if (!proto::decode(body, message)) return;
    const std::string written = proto::encode(message);
    Message again;
    fuzz::require(proto::decode(written, again));
    fuzz::require(proto::encode(again) == written);
}

void check_limits(std::string_view body) {
    sandbox::wire::Reader reader(body);
    sandbox::Limits limits;
    if (proto::read(reader, limits)) fuzz::require(sandbox::check(limits).has_value());
}

void check_reader(std::string_view body) {
    sandbox::wire::Reader reader(body);
    std::size_t taken = 0;
    for (int turn = 0; reader.ok() && taken < body.size(); ++turn) {
        if (turn % 3 == 0) fuzz::require(reader.count() <= body.size());
        if (turn % 3 == 1) (void)reader.number();
        if (turn % 3 == 2) taken += reader.text().size();
        taken += 8;
    }
    if (!reader.ok()) fuzz::require(reader.text().empty() && reader.number() == 0);
}

/// Headers that promise gigabytes make their reader reserve as much: both sides are trusted. Not
/// here.
std::string with_small_frames(std::string bytes) {
    bytes.resize(std::min(bytes.size(), std::size_t{16 * 1024}));  // fits into the socket's buffer
    for (std::size_t at = 0; at + 8 <= bytes.size();) {
        bytes[at + 6] = bytes[at + 7] = 0;
        std::uint32_t promised = 0;
        std::memcpy(&promised, bytes.data() + at + 4, sizeof promised);
        at += 8 + promised;
    }
    return bytes;
}

/// The bytes arrive as they are, and then the other side hangs up: no reading waits for ever.
void check_frames(const std::string& sent) {
    int ends[2];
    fuzz::require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    sandbox::UniqueFd theirs(ends[0]);
    const sandbox::UniqueFd ours(ends[1]);
    fuzz::require(::send(theirs.get(), sent.data(), sent.size(), MSG_NOSIGNAL) ==
                  static_cast<ssize_t>(sent.size()));
    theirs.reset();
    sandbox::wire::Frame frame;
    std::size_t read = 0;
    while (sandbox::wire::receive(ours.get(), frame)) {
        fuzz::require(frame.fds.empty());
        read += 8 + frame.body.size();
    }
    fuzz::require(read <= sent.size());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes = fuzz::text_of(data, size);
    check_message<proto::StartRequest>(bytes);
    check_message<std::vector<sandbox::View>>(bytes);
    check_message<proto::RunRequest>(bytes);
    check_message<sandbox::Outcome>(bytes);
    check_message<sandbox::Error>(bytes);
    check_limits(bytes);
    check_reader(bytes);
    check_frames(with_small_frames(bytes));
    return 0;
}

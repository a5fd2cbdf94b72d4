// The turnstile over two flock files. The kernel lets go of both when a worker dies.
// Has no time limit: a stay is one case, and cases have theirs.
// See lonely.hpp.
#include "grader/lonely.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace grader {

namespace {

Result<sandbox::UniqueFd> open_lock(const std::filesystem::path& path) {
    // A link of somebody else's making is not followed, whatever folder the locks are in.
    sandbox::UniqueFd fd(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return tl::unexpected(
            Error{Error::Code::cannot_judge,
                  fmt::format("cannot open the lock {}: {}", path.string(), std::strerror(errno))});
    return fd;
}

bool lock(int fd, int operation) {
    int result = 0;
    do result = ::flock(fd, operation);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

}  // namespace

Host::Host(sandbox::UniqueFd turnstile, sandbox::UniqueFd room)
    : turnstile_(std::move(turnstile)), room_(std::move(room)) {}

Result<Host> Host::open(const std::filesystem::path& folder) {
    auto turnstile = open_lock(folder / "turnstile.lock");
    if (!turnstile) return tl::unexpected(std::move(turnstile).error());
    auto room = open_lock(folder / "room.lock");
    if (!room) return tl::unexpected(std::move(room).error());
    return Host(std::move(*turnstile), std::move(*room));
}

Result<Host::Stay> Host::pass(int operation) {
    const bool in = lock(turnstile_.get(), LOCK_EX) && lock(room_.get(), operation);
    const int why = errno;
    (void)lock(turnstile_.get(), LOCK_UN);
    if (!in)
        return tl::unexpected(
            Error{Error::Code::judge_error,
                  fmt::format("cannot take the host lock: {}", std::strerror(why))});
    return Stay(room_.get());
}

Result<Host::Stay> Host::enter() {
    return pass(LOCK_SH);
}

// Whoever is alone in the room keeps the others waiting there: they hold the turnstile one by one.
Result<Host::Stay> Host::enter_alone() {
    return pass(LOCK_EX);
}

Host::Stay& Host::Stay::operator=(Stay&& other) noexcept {
    if (this != &other) {
        leave();
        room_ = std::exchange(other.room_, -1);
    }
    return *this;
}

void Host::Stay::leave() {
    if (room_ >= 0) (void)lock(room_, LOCK_UN);
    room_ = -1;
}

}  // namespace grader

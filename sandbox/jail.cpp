// The library's end of the helper's socket: each call is one request and its answer.
// Holds no state of its own beyond the socket.
// See jail.hpp.
#include "sandbox/jail.hpp"

#include "sandbox/child.hpp"
#include "sandbox/helper_protocol.hpp"
#include "sandbox/launch.hpp"
#include "sandbox/wire.hpp"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sandbox {

namespace proto = helper_protocol;

namespace {

tl::unexpected<Error> system_error(Error::Code code, const std::string& what, int number) {
    return tl::unexpected(
        Error{code, number, what + ": " + std::generic_category().message(number)});
}

/// A memory file that nobody can change any more.
Result<UniqueFd> sealed(const char* label, std::string_view bytes) {
    constexpr unsigned kExecutable = 0x10;  // MFD_EXEC of newer kernels
    UniqueFd fd(::memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING | kExecutable));
    if (!fd.valid()) fd.reset(::memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd.valid())
        return system_error(Error::Code::setup_failed, "cannot make a memory file", errno);
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
        if (n <= 0)
            return system_error(Error::Code::setup_failed, "cannot fill a memory file", errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    (void)::lseek(fd.get(), 0, SEEK_SET);
    if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) !=
        0)
        return system_error(Error::Code::setup_failed, "cannot seal a memory file", errno);
    return fd;
}

}  // namespace

Result<Image> Image::from_bytes(std::string_view bytes) {
    auto fd = sealed("program", bytes);
    if (!fd) return tl::unexpected(std::move(fd).error());
    Image image;
    image.fd_ = std::move(*fd);
    image.size_ = bytes.size();
    return image;
}

Result<Image> Image::from_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return system_error(Error::Code::bad_request, "cannot read program " + path.string(),
                            errno);
    const std::string bytes((std::istreambuf_iterator<char>(stream)),
                            std::istreambuf_iterator<char>());
    return from_bytes(bytes);
}

struct Supervisor::Connection {
    Mode mode{};
    bool names_calls = true;
    std::string why_not_full;
    UniqueFd socket;
    Child helper;       // after the socket: it is closed first, and the helper ends by itself
    bool owed = false;  // an answer to what was posted is still to come

    static tl::unexpected<Error> died() {
        return tl::unexpected(
            Error{Error::Code::supervisor_failed, errno, "perfjudge-jail died; its jail is gone"});
    }

    /// Sends without waiting: the answer is read by the next request, which fails if it is an
    /// Error.
    Result<void> post(proto::Request type) {
        if (auto settled = settle(); !settled) return settled;
        if (!wire::send(socket.get(), static_cast<std::uint32_t>(type), "")) return died();
        owed = true;
        return {};
    }

    Result<std::string> request(proto::Request type, std::string_view body,
                                std::span<const int> fds = {}) {
        // Both at once: the helper goes on with the second without a turn of ours between them.
        if (!wire::send(socket.get(), static_cast<std::uint32_t>(type), body, fds)) return died();
        auto settled = settle();
        auto answered = answer();
        if (!settled) return tl::unexpected(std::move(settled).error());
        return answered;
    }

    Result<void> settle() {
        if (!std::exchange(owed, false)) return {};
        auto answered = answer();
        if (!answered) return tl::unexpected(std::move(answered).error());
        return {};
    }

    Result<std::string> answer() {
        wire::Frame frame;
        if (!wire::receive(socket.get(), frame)) return died();
        if (frame.type == static_cast<std::uint32_t>(proto::Answer::ok))
            return std::move(frame.body);
        Error error;
        if (!proto::decode(frame.body, error))
            error = {Error::Code::supervisor_failed, 0, "perfjudge-jail gave a malformed answer"};
        return tl::unexpected(std::move(error));
    }
};

Supervisor::Supervisor(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
Supervisor::Supervisor(Supervisor&&) noexcept = default;
Supervisor& Supervisor::operator=(Supervisor&&) noexcept = default;

Supervisor::~Supervisor() {
    if (!connection_) return;
    connection_->socket.reset();  // it removes its cgroups and ends
    (void)connection_->helper.wait_for(std::chrono::milliseconds(1000));
}

Mode Supervisor::mode() const {
    return connection_->mode;
}

const std::string& Supervisor::why_not_full() const {
    return connection_->why_not_full;
}

bool Supervisor::names_calls() const {
    return connection_->names_calls;
}

namespace {

/// True if it says something about this moment, not about this host.
bool may_pass(const Error& error) {
    return error.sys_errno == ENOMEM || error.sys_errno == EAGAIN || error.sys_errno == EMFILE ||
           error.sys_errno == ENFILE;
}

}  // namespace

Result<Supervisor> Supervisor::start(const SupervisorOptions& options) {
    if (options.mode) return start_in(*options.mode, options);
    auto full = start_in(Mode::full, options);
    // Killed, by an outer filter every time or by somebody this time.
    if (!full && full.error().code == Error::Code::supervisor_failed)
        full = start_in(Mode::full, options);
    if (full || may_pass(full.error())) return full;
    // In another helper: this one may have left the host's root half-way.
    auto portable = start_in(Mode::portable, options);
    if (portable) {
        portable->connection_->why_not_full = std::move(full.error().what);
        return portable;
    }
    const bool both_died = full.error().code == Error::Code::supervisor_failed &&
                           portable.error().code == Error::Code::supervisor_failed;
    Error error{
        both_died ? Error::Code::supervisor_failed : Error::Code::host_unsupported,
        portable.error().sys_errno,
        "no mode works here. full: " + full.error().what + "; portable: " + portable.error().what};
    return tl::unexpected(std::move(error));
}

Result<Supervisor> Supervisor::start_in(Mode mode, const SupervisorOptions& options) {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return system_error(Error::Code::setup_failed, "cannot make a socket", errno);
    auto connection = std::make_unique<Connection>();
    connection->socket.reset(sockets[0]);
    UniqueFd theirs(sockets[1]);
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    auto helper = launch(
        {options.helper,
         {},
         {},
         {{0, null.get()}, {1, null.get()}, {2, null.get()}, {proto::kSocketFd, theirs.get()}}});
    theirs.reset();  // with a copy of it here, the death of the helper would be no end of file
    if (!helper) return tl::unexpected(std::move(helper).error());
    connection->helper = std::move(*helper);
    theirs.reset();  // held any longer, a helper that dies now would be waited for for ever
    const bool try_it = !options.mode;  // a mode that is found out must hold for every jail
    auto answer = connection->request(
        proto::Request::start,
        proto::encode(proto::StartRequest{mode, try_it, options.scratch, options.views}));
    if (!answer) return tl::unexpected(std::move(answer).error());
    proto::Started started;
    if (!proto::decode(*answer, started))
        return tl::unexpected(
            Error{Error::Code::supervisor_failed, 0, "perfjudge-jail gave a malformed answer"});
    connection->mode = mode;
    connection->names_calls = started.calls_named;
    return Supervisor(std::move(connection));
}

Jail::Jail(Supervisor::Connection* connection) : connection_(connection) {}
Jail::Jail(Jail&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}

Jail& Jail::operator=(Jail&& other) noexcept {
    if (this != &other) {
        Jail old(std::move(*this));
        connection_ = std::exchange(other.connection_, nullptr);
    }
    return *this;
}

Jail::~Jail() {
    // A helper that cannot answer has died, and its jail with it.
    if (connection_ != nullptr) (void)connection_->request(proto::Request::destroy, "");
}

Result<Jail> Jail::create(Supervisor& supervisor, Profile profile, const Limits& limits) {
    if (auto checked = check(limits); !checked) return tl::unexpected(std::move(checked).error());
    wire::Writer writer;
    writer.number(static_cast<std::uint64_t>(profile));
    proto::write(writer, limits);
    auto created = supervisor.connection_->request(proto::Request::create, writer.bytes());
    if (!created) return tl::unexpected(std::move(created).error());
    return Jail(supervisor.connection_.get());
}

Result<void> Jail::put_file(std::string_view name, std::string_view bytes) {
    auto done = connection_->request(proto::Request::put_file,
                                     wire::Writer().text(name).text(bytes).bytes());
    if (!done) return tl::unexpected(std::move(done).error());
    return {};
}

Result<std::string> Jail::take_file(std::string_view name, std::uint64_t max_bytes) {
    return connection_->request(proto::Request::take_file,
                                wire::Writer().text(name).number(max_bytes).bytes());
}

Result<void> Jail::reset() {
    return connection_->post(proto::Request::reset);
}

Result<Outcome> Jail::run(const Command& command, const Limits& limits) {
    assert((command.image != nullptr) != !command.path.empty());
    if (auto checked = check(limits); !checked) return tl::unexpected(std::move(checked).error());
    auto input = sealed("stdin", command.stdin_bytes);
    if (!input) return tl::unexpected(std::move(input).error());
    std::vector<int> fds{input->get()};
    if (command.image != nullptr) fds.push_back(command.image->fd());
    const proto::RunRequest request{
        command.image != nullptr, command.zygote, command.path, command.argv, command.env, limits};
    auto answer = connection_->request(proto::Request::run, proto::encode(request), fds);
    if (!answer) return tl::unexpected(std::move(answer).error());
    Outcome outcome;
    if (!proto::decode(*answer, outcome))
        return tl::unexpected(
            Error{Error::Code::supervisor_failed, 0, "perfjudge-jail gave a malformed outcome"});
    return outcome;
}

}  // namespace sandbox

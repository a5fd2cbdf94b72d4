// perfjudge-jail: the long-lived helper of one worker.
//
// Theory of operation. A worker starts this program with one socket. The first request lists, per
// profile, what programs may see of the host; the helper builds those views in a mount namespace of
// its own, pivots away from the host's root and cannot reach it any more (portable mode: it opens
// what they list and stays, see portable.hpp). From then on it answers requests one at a time, with
// one thread:
//
//   worker ──socket──> perfjudge-jail (keeper)            trusted; root, or an ordinary user who
//   owns
//                        │ clone, vfork-style              a user namespace
//                        └─ init, pid 1 of a jail          trusted; an image inside this program
//                             │ clone, vfork-style
//                             └─ the program               hostile; confined by its own last steps
//
// A run: the keeper makes three pipes (stdout, stderr, answer), init starts the program, the keeper
// watches pipes, clocks and counters, records the first cause of an end, and only then has init
// kill and reap everything. The run is over when init has found no other process in the namespace.
//
// Nothing hostile ever reaches this program but bytes in pipes, which are counted and passed on,
// and files in /box, which are opened by descriptor, without links, after every process is dead. If
// the worker goes away this program ends; when it ends, by whatever signal, the kernel kills init
// (parent death signal), and with pid 1 every process of the jail.
//
// This file turns requests into calls and does nothing else.
#include "sandbox/helper/files.hpp"
#include "sandbox/helper/filter.hpp"
#include "sandbox/helper/jail_steps.hpp"
#include "sandbox/helper/keeper.hpp"
#include "sandbox/helper/world.hpp"
#include "sandbox/helper_protocol.hpp"
#include "sandbox/wire.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sandbox {
namespace {

namespace proto = helper_protocol;

class Helper {
  public:
    /// Answers one request. False when the worker is gone. While none comes, jails are made ahead
    /// of need: never during a run, whose accounts they would enter.
    bool serve() {
        while (!is_request_waiting() && park_one()) {
        }
        wire::Frame frame;
        if (!wire::receive(proto::kSocketFd, frame)) return false;
        auto answer = handle(frame);
        if (answer) return send(proto::Answer::ok, *answer);
        return send(proto::Answer::error, proto::encode(answer.error()));
    }

  private:
    static bool is_request_waiting() {
        constexpr int kPatience_ms = 1;  // between two requests for one run less passes
        pollfd socket{proto::kSocketFd, POLLIN, 0};
        return ::poll(&socket, 1, kPatience_ms) != 0;
    }

    /// Makes one of the jails that will be asked for again, unused and with the same limits as the
    /// last of its profile. False if there is none to make.
    bool park_one() {
        for (const auto& [profile, limits] : wanted_) {
            const auto parked = parked_.find(profile);
            if (parked != parked_.end() && parked->second.fits(limits)) continue;
            if (parked != parked_.end()) parked_.erase(parked);
            auto keeper = Keeper::create(*host_, profile, filters_.at(profile), limits);
            if (keeper) parked_.emplace(profile, std::move(*keeper));
            return keeper.has_value();  // if not, the next request for one says why
        }
        return false;
    }

    static bool send(proto::Answer type, const std::string& body) {
        return wire::send(proto::kSocketFd, static_cast<std::uint32_t>(type), body);
    }

    static tl::unexpected<Error> bad(const char* what) {
        return tl::unexpected(Error{Error::Code::bad_request, 0, what});
    }

    /// Turns Result<void> into an empty answer.
    static Result<std::string> nothing(Result<void> result) {
        if (!result) return tl::unexpected(std::move(result).error());
        return std::string();
    }

    Result<std::string> handle(const wire::Frame& frame) {
        using proto::Request;
        const auto request = static_cast<Request>(frame.type);
        if (request == Request::start) return start(frame);
        if (!host_) return bad("the first request must be start");
        if (request == Request::create) return create(frame);
        if (!keeper_) return bad("there is no jail");
        wire::Reader reader(frame.body);
        switch (request) {
            case Request::put_file: {
                const auto name = reader.text();
                const auto bytes = reader.text();
                return reader.finished() ? nothing(keeper_->put_file(name, bytes))
                                         : bad("malformed put_file");
            }
            case Request::take_file: {
                const auto name = reader.text();
                const auto max_bytes = reader.number();
                return reader.finished() ? keeper_->take_file(name, max_bytes)
                                         : bad("malformed take_file");
            }
            case Request::run:
                return run(frame);
            case Request::reset:
                return nothing(keeper_->reset());
            case Request::destroy:
                keeper_.reset();
                return std::string();
            case Request::start:
            case Request::create:
                break;
        }
        return bad("unknown request");
    }

    Result<std::string> start(const wire::Frame& frame) {
        proto::StartRequest request;
        if (host_ || !proto::decode(frame.body, request)) return bad("malformed or second start");
        ahead_ = request.ahead;
        Host host;
        host.calls_named = can_hold_calls();
        host.library_socket = proto::kSocketFd;
        (void)host_proc();  // opened while the host's /proc is still there
        host.cgroups = CgroupHost::open();
        auto group = host.cgroups.create(group_prefix());
        if (!group) return tl::unexpected(std::move(group).error());
        host.cgroup = std::move(*group);
        host.cgroup.enter();
        const auto unlisted = host.calls_named ? Unlisted::held : Unlisted::killed;
        for (const View& view : request.views) {
            auto filter = compile(policy_of(view.profile, request.mode), unlisted);
            if (!filter) return tl::unexpected(std::move(filter).error());
            filters_.emplace(view.profile, std::move(*filter));
        }
        auto world = request.mode == Mode::full
                         ? enter_world(request.views)
                         : enter_portable_world(request.views, request.scratch);
        if (!world) return tl::unexpected(std::move(world).error());
        host.world = std::move(*world);
        // After the id maps are written: they belong to whoever may dump us.
        (void)::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (auto image = prepare_init_image(); !image)
            return tl::unexpected(std::move(image).error());
        host_ = std::move(host);
        if (request.try_it && !request.views.empty()) {
            const Profile first = request.views.front().profile;
            auto jail = Keeper::create(*host_, first, filters_.at(first), Limits());
            if (!jail) return tl::unexpected(std::move(jail).error());
        }
        return std::string();
    }

    Result<std::string> create(const wire::Frame& frame) {
        wire::Reader reader(frame.body);
        const auto profile = static_cast<Profile>(reader.number());
        Limits limits;
        if (!proto::read(reader, limits) || !reader.finished())
            return bad("malformed create, or limits out of range");
        const auto filter = filters_.find(profile);
        if (filter == filters_.end()) return bad("no view was given for this profile");
        if (keeper_) return bad("there is a jail already");
        // Portable mode: one jail at a time, so that orphans can be nobody else's.
        if (ahead_ && host_->world.mode == Mode::full) wanted_[profile] = limits;
        if (auto made = take_or_make(profile, filter->second, limits); !made)
            return tl::unexpected(std::move(made).error());
        keeper_->enter_service();
        return std::string();
    }

    Result<void> take_or_make(Profile profile, const Filter& filter, const Limits& limits) {
        const auto parked = parked_.find(profile);
        if (parked != parked_.end() && parked->second.fits(limits)) {
            keeper_.emplace(std::move(parked->second));
            parked_.erase(parked);
            return {};
        }
        auto keeper = Keeper::create(*host_, profile, filter, limits);
        if (!keeper) return tl::unexpected(std::move(keeper).error());
        keeper_.emplace(std::move(*keeper));
        return {};
    }

    Result<std::string> run(const wire::Frame& frame) {
        proto::RunRequest request;
        if (!proto::decode(frame.body, request) || frame.fds.size() != (request.by_image ? 2U : 1U))
            return bad("malformed run");
        auto outcome =
            keeper_->run(request, frame.fds[0].get(), request.by_image ? frame.fds[1].get() : -1);
        if (!outcome) return tl::unexpected(std::move(outcome).error());
        return proto::encode(*outcome);
    }

    std::optional<Host> host_;
    std::map<Profile, Filter> filters_;
    std::optional<Keeper> keeper_;  // after host_: it points to it
    bool ahead_ = true;
    std::map<Profile, Limits> wanted_;  // of the last jail of each profile
    std::map<Profile, Keeper> parked_;  // booted, unused; used once, never put back
};

}  // namespace
}  // namespace sandbox

int main(int argc, char**) {
    if (argc != 1 || ::fcntl(sandbox::helper_protocol::kSocketFd, F_GETFD) < 0) {
        (void)std::fputs("perfjudge-jail is started by perfjudge; try: perfjudge jail --help\n",
                         stderr);
        return 2;
    }
    (void)::close_range(sandbox::helper_protocol::kSocketFd + 1, ~0U, 0);
    (void)::fcntl(sandbox::helper_protocol::kSocketFd, F_SETFD, FD_CLOEXEC);
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)::signal(SIGPIPE, SIG_IGN);
    (void)::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it, and we reap
    // Signals of a terminal are for the coordinator: it decides, we end with our worker.
    (void)::signal(SIGINT, SIG_IGN);
    sandbox::Helper helper;
    while (helper.serve()) {
    }
    return 0;
}

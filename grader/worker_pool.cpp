// Pipes and sockets of workers, polled together. Every buffer has a cap.
// No thread, no signal handler: a worker's end is seen as the end of its output.
// See worker_pool.hpp.
#include "grader/worker_pool.hpp"

#include "sandbox/child.hpp"
#include "sandbox/launch.hpp"
#include "sandbox/unique_fd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace grader {

namespace {

using Clock = std::chrono::steady_clock;
using sandbox::UniqueFd;

constexpr std::uint32_t kProtocol = 1;
constexpr int kMaxFailedStarts = 3;  // in a row, of one place in the pool
constexpr int kRunsOfACase = 2;      // beside others and alone, before its message
constexpr std::chrono::milliseconds kGoodbye{2'000};
constexpr std::size_t kBlock = std::size_t{1} << 16U;

Error cannot(std::string what) {
    return {Error::Code::cannot_judge, std::move(what)};
}

Error system_error(std::string_view what, int number) {
    return cannot(fmt::format("{}: {}", what, std::generic_category().message(number)));
}

struct Ends {
    UniqueFd ours, theirs;
};

/// A worker's stdin is a socket: writing to a dead worker is an error then, never a SIGPIPE.
Result<Ends> make_input() {
    std::array<int, 2> fds{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
        return tl::unexpected(system_error("cannot make a socket for a worker", errno));
    return Ends{UniqueFd(fds[1]), UniqueFd(fds[0])};
}

Result<Ends> make_output() {
    std::array<int, 2> fds{};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0)
        return tl::unexpected(system_error("cannot make a pipe for a worker", errno));
    Ends ends{UniqueFd(fds[0]), UniqueFd(fds[1])};
    if (::fcntl(ends.ours.get(), F_SETFL, O_NONBLOCK) != 0)
        return tl::unexpected(system_error("cannot set up a pipe for a worker", errno));
    return ends;
}

int milliseconds_until(Clock::time_point deadline, Clock::time_point now) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

}  // namespace

struct WorkerPool::Slot {
    sandbox::Child child;
    UniqueFd in, out;
    std::string unread;    // bytes of a line that is not complete yet
    std::string unsent;    // of a job
    std::size_t sent = 0;  // of `unsent`
    bool ready = false;    // has said hello
    int failed_starts = 0;
    std::optional<std::uint64_t> job;
    std::chrono::milliseconds patience{};  // a case of its job may take so long
    Clock::time_point deadline;            // for the next message, where one is due

    [[nodiscard]] bool started() const { return out.valid(); }
    [[nodiscard]] bool message_due() const { return started() && (!ready || job.has_value()); }
    [[nodiscard]] bool must_write() const { return ready && sent < unsent.size(); }
};

WorkerPool::WorkerPool(PoolOptions options) : options_(std::move(options)) {}
WorkerPool::WorkerPool(WorkerPool&&) noexcept = default;
WorkerPool& WorkerPool::operator=(WorkerPool&&) noexcept = default;

WorkerPool::~WorkerPool() {
    for (Slot& slot : slots_) slot.in.reset();  // the end of its input ends a worker
    const Clock::time_point deadline = Clock::now() + kGoodbye;
    for (Slot& slot : slots_) {
        const int left = milliseconds_until(deadline, Clock::now());
        if (!slot.job) (void)slot.child.wait_for(std::chrono::milliseconds(left));
    }
    // Whatever has not ended by now is killed by its owner, Child.
}

Result<WorkerPool> WorkerPool::start(const PoolOptions& options) {
    assert(options.workers > 0);
    WorkerPool pool(options);
    pool.slots_.resize(options.workers);
    Result<void> started = pool.start_worker(pool.slots_.front());
    if (!started) return tl::unexpected(std::move(started.error()));
    return pool;
}

Result<void> WorkerPool::start_all() {
    for (Slot& slot : slots_) {
        Result<void> started = slot.started() ? Result<void>() : start_worker(slot);
        if (!started) return started;
    }
    return {};
}

Result<void> WorkerPool::start_worker(Slot& slot) {
    Result<Ends> input = make_input();
    if (!input) return tl::unexpected(std::move(input.error()));
    Result<Ends> output = make_output();
    if (!output) return tl::unexpected(std::move(output.error()));
    sandbox::Result<sandbox::Child> child = sandbox::launch({options_.program,
                                                             options_.args,
                                                             options_.env,
                                                             {{STDIN_FILENO, input->theirs.get()},
                                                              {STDOUT_FILENO, output->theirs.get()},
                                                              {STDERR_FILENO, STDERR_FILENO}}});
    if (!child) return tl::unexpected(cannot(std::move(child.error().what)));
    slot.child = std::move(*child);
    slot.in = std::move(input->ours);
    slot.out = std::move(output->ours);
    slot.unread.clear();
    slot.sent = 0;
    slot.ready = false;
    slot.deadline = Clock::now() + options_.hello_within;
    return {};
}

bool WorkerPool::can_take() const {
    return std::any_of(slots_.begin(), slots_.end(),
                       [](const Slot& slot) { return slot.ready && !slot.job; });
}

bool WorkerPool::idle() const {
    return std::none_of(slots_.begin(), slots_.end(),
                        [](const Slot& slot) { return slot.job.has_value(); });
}

void WorkerPool::give(const Job& job) {
    const auto slot =
        std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return s.ready && !s.job; });
    assert(slot != slots_.end());
    slot->job = job.id;
    slot->unsent = encode(job) + '\n';
    slot->sent = 0;
    slot->patience = options_.silence + kRunsOfACase * job.limits.wall_time;
    slot->deadline = Clock::now() + slot->patience;
}

Result<void> WorkerPool::give_fresh(const Job& job) {
    assert(idle());
    Slot& slot = slots_.front();
    slot.child = sandbox::Child();
    Result<void> started = start_worker(slot);
    if (!started) return started;
    slot.job = job.id;
    slot.patience = options_.silence + kRunsOfACase * job.limits.wall_time;
    slot.unsent = encode(job) + '\n';
    return {};
}

Result<void> WorkerPool::abandon(std::uint64_t job) {
    for (Slot& slot : slots_) {
        if (slot.job != job) continue;
        slot.job.reset();
        slot.unsent.clear();
        slot.child = sandbox::Child();
        return start_worker(slot);
    }
    return {};
}

Result<std::vector<PoolEvent>> WorkerPool::wait(int stop_fd, std::chrono::milliseconds at_most) {
    Clock::time_point now = Clock::now();
    Clock::time_point until = now + at_most;
    std::vector<struct pollfd> fds;
    for (const Slot& slot : slots_) {
        fds.push_back({slot.out.get(), POLLIN, 0});
        fds.push_back({slot.must_write() ? slot.in.get() : -1, POLLOUT, 0});
        if (slot.message_due()) until = std::min(until, slot.deadline);
    }
    fds.push_back({stop_fd, POLLIN, 0});
    const int count = ::poll(fds.data(), fds.size(), milliseconds_until(until, now));
    if (count < 0 && errno != EINTR)
        return tl::unexpected(system_error("cannot wait for workers", errno));
    std::vector<PoolEvent> events;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const bool readable = count > 0 && fds[2 * i].revents != 0;
        Result<void> turned = turn(slots_[i], readable, events);
        if (!turned) return tl::unexpected(std::move(turned.error()));
    }
    return events;
}

/// Writes what can be written, reads what is there, and looks at the clock.
Result<void> WorkerPool::turn(Slot& slot, bool readable, std::vector<PoolEvent>& events) {
    while (slot.must_write()) {
        const ssize_t done = ::send(slot.in.get(), slot.unsent.data() + slot.sent,
                                    slot.unsent.size() - slot.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0) break;  // full, or dead: then the end of its output says so
        slot.sent += static_cast<std::size_t>(done);
    }
    if (readable) {
        std::array<char, kBlock> buffer;  // NOLINT: filled by read
        const ssize_t got = ::read(slot.out.get(), buffer.data(), buffer.size());
        if (got == 0) return broken(slot, "the worker ended", events);
        if (got < 0 && errno != EAGAIN && errno != EINTR)
            return broken(slot, "the worker cannot be read", events);
        if (got > 0) slot.unread.append(buffer.data(), static_cast<std::size_t>(got));
        if (got > 0) return take_lines(slot, events);
    }
    if (slot.message_due() && Clock::now() >= slot.deadline)
        return broken(slot, slot.ready ? "the worker says nothing" : "the worker says no hello",
                      events);
    return {};
}

Result<void> WorkerPool::take_lines(Slot& slot, std::vector<PoolEvent>& events) {
    // What must hold for a message of this worker now; the text says what is wrong.
    const auto fault = [&](const WorkerMessage& message) -> std::string_view {
        if (const Hello* hello = std::get_if<Hello>(&message)) {
            if (slot.ready) return "a second hello";
            return hello->protocol == kProtocol ? "" : "another version of the protocol";
        }
        const std::uint64_t id = std::visit(
            [](const auto& m) -> std::uint64_t {
                if constexpr (requires { m.job; }) return m.job;
                return 0;
            },
            message);
        return slot.ready && slot.job == id ? "" : "a message for a job that it does not have";
    };
    std::size_t start = 0;
    for (std::size_t end = 0; (end = slot.unread.find('\n', start)) != std::string::npos;
         start = end + 1) {
        Result<WorkerMessage> message =
            decode_message(std::string_view(slot.unread).substr(start, end - start));
        if (!message) return broken(slot, message.error().what, events);
        if (const std::string_view what = fault(*message); !what.empty())
            return broken(slot, fmt::format("the worker sent {}", what), events);
        slot.deadline = Clock::now() + slot.patience;
        if (std::holds_alternative<Hello>(*message)) {
            slot.ready = true;
            slot.failed_starts = 0;
        }
        if (std::holds_alternative<JobDone>(*message) ||
            std::holds_alternative<JobFailed>(*message))
            slot.job.reset();
        std::visit([&](auto&& m) { events.emplace_back(std::forward<decltype(m)>(m)); },
                   std::move(*message));
    }
    slot.unread.erase(0, start);
    if (slot.ready) {
        Result<void> started = start_all();
        if (!started) return started;
    }
    if (slot.unread.size() > options_.max_line_bytes)
        return broken(slot, "the worker sent a line that is too long", events);
    return {};
}

/// Replaces a worker. A job that had begun is lost; one that was waiting for the hello stays.
Result<void> WorkerPool::broken(Slot& slot, std::string why, std::vector<PoolEvent>& events) {
    if (slot.ready && slot.job) {
        events.emplace_back(JobLost{*slot.job, std::move(why)});
        slot.job.reset();
        slot.unsent.clear();
    } else if (!slot.ready) {
        const auto status = slot.child.wait_for(kGoodbye);
        const bool for_good =
            status && !status->signaled && status->number == options_.cannot_judge_code;
        if (for_good || ++slot.failed_starts >= kMaxFailedStarts)
            return tl::unexpected(cannot(fmt::format(
                "cannot judge on this host: {} before it was ready; its own message says why",
                why)));
    }
    slot.child = sandbox::Child();
    return start_worker(slot);
}

}  // namespace grader

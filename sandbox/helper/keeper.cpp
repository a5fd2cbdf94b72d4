// One poll loop per run; no step of it waits for a descriptor that a program holds.
// Does not trust anything that a program wrote: pipes are read under a cap, files by descriptor.
// See keeper.hpp.
#include "sandbox/helper/keeper.hpp"

#include "sandbox/helper/case_steps.hpp"
#include "sandbox/helper/files.hpp"
#include "sandbox/helper/landlock.hpp"
#include "sandbox/helper/raw_socket.hpp"
#include "sandbox/helper/sampler.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox {

namespace {

using init_wire::Event;
using init_wire::EventKind;
using init_wire::RequestKind;

constexpr std::uint64_t kMillisecond_ns = 1'000'000;
constexpr std::uint64_t kSampleEvery_ns = 10 * kMillisecond_ns;
constexpr int kSetupTimeout_ms =
    10'000;                            // a loaded host may be slow; this is no limit of a program
constexpr int kEmptyTimeout_ms = 200;  // design: else the whole jail is replaced
constexpr std::size_t kPipes = 3;      // stdout, stderr, answer

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

tl::unexpected<Error> setup_error(const std::string& what, int number) {
    return tl::unexpected(
        Error{Error::Code::setup_failed, number,
              number == 0 ? what
                          : what + ": " + std::strerror(number)});  // NOLINT(concurrency-mt-unsafe)
}

tl::unexpected<Error> init_lost() {
    return tl::unexpected(
        Error{Error::Code::supervisor_failed, 0, "init of a jail died or did not answer"});
}

}  // namespace

struct Keeper::Watch {
    std::array<UniqueFd, kPipes> pipes;
    std::array<std::string, kPipes> bytes;
    std::uint64_t output_bytes = 0;
    bool too_much_output = false;
    std::uint64_t started_ns = 0, ended_ns = 0;
    std::uint64_t next_sample_ns = 0;
    Cgroup::Counters base;             // counters before the run
    std::uint64_t sampled_cpu_ns = 0;  // the largest sum that was seen
    std::uint64_t init_cpu_ns = 0;     // what init saw of reaped processes
    std::uint64_t peak_bytes = 0;
    std::uint32_t processes_peak = 1;
    bool ended = false;
    bool empty = false;
    Outcome outcome;

    /// The first cause stays: it is recorded here before anything is killed.
    void end(Ending ending) {
        if (ended) return;
        ended = true;
        ended_ns = now_ns();
        outcome.ending = ending;
    }
    void drain(std::uint64_t cap);
};

/// Reads what is there, never waits; beyond the cap bytes are counted as one and dropped.
void Keeper::Watch::drain(std::uint64_t cap) {
    char buffer[16 * 1024];
    for (std::size_t i = 0; i < kPipes; ++i) {
        while (pipes[i].valid() && output_bytes <= cap) {
            const ssize_t n = ::read(pipes[i].get(), buffer, sizeof buffer);
            if (n < 0 && errno == EINTR) continue;
            if (n == 0) pipes[i].reset();
            if (n <= 0) break;
            const auto size = static_cast<std::uint64_t>(n);
            const std::uint64_t kept = std::min(size, cap - output_bytes);
            bytes[i].append(buffer, kept);
            output_bytes += size;
            if (output_bytes > cap) {
                output_bytes = cap;
                too_much_output = true;
                end(Ending::output_limit);
                return;
            }
        }
    }
}

// ---- talking to init ---------------------------------------------------------------------------

Result<void> Keeper::send(const void* request, std::size_t size, const std::vector<int>& fds) {
    const iovec part{const_cast<void*>(request), size};
    if (send_message(init_.control.get(), &part, 1, fds.data(), static_cast<int>(fds.size())) ==
        static_cast<long>(size))
        return {};
    broken_ = true;
    return init_lost();
}

Result<Event> Keeper::receive_event() {
    Event event;
    int fds[kMaxMessageFds];
    int count = 0;
    const long n = receive_message(init_.control.get(), {&event, sizeof event}, fds, &count);
    if (count > 0) received_.reset(fds[0]);  // init sends one at most
    if (n == static_cast<long>(sizeof event)) return event;
    broken_ = true;
    return init_lost();
}

/// The next event must be `wanted`; a failed step becomes an Error that names it.
Result<Event> Keeper::await(EventKind wanted, int timeout_ms) {
    pollfd fd{init_.control.get(), POLLIN, 0};
    int ready = 0;
    do {
        ready = ::poll(&fd, 1, timeout_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0) {
        broken_ = true;
        return init_lost();
    }
    auto event = receive_event();
    if (!event || event->kind == wanted) return event;
    if (event->kind == EventKind::zygote_lost) return tl::unexpected(zygote_failed());
    if (event->kind == EventKind::failed) {
        const bool step = wanted == EventKind::started && event->step != ~0U;
        if (step && is_exec_step(event->step))
            return tl::unexpected(
                Error{Error::Code::cannot_execute, event->error,
                      std::string("the kernel cannot execute the program: ") +
                          std::strerror(event->error)});  // NOLINT(concurrency-mt-unsafe)
        const std::string what = step                           ? case_step_name(event->step)
                                 : wanted == EventKind::started ? "start a process"
                                                                : "mount /box";
        return setup_error("cannot " + what + " in a jail", event->error);
    }
    broken_ = true;
    return init_lost();
}

// ---- life of a jail ----------------------------------------------------------------------------

Result<Keeper> Keeper::create(Host& host, Profile profile, const Filter& filter,
                              const Limits& limits) {
    Keeper keeper(host, profile, filter, limits);
    const std::string view = "/" + std::string(name(profile));
    keeper.root_.reset(::open(view.c_str(), O_PATH | O_CLOEXEC));
    keeper.null_.reset(::open((view + "/dev/null").c_str(), O_PATH | O_CLOEXEC));
    if (auto booted = keeper.boot(); !booted) return tl::unexpected(std::move(booted).error());
    return keeper;
}

Result<void> Keeper::boot() {
    host_->cgroup.make_room();
    auto init = start_init(profile_, host_->world);
    if (!init) return tl::unexpected(std::move(init).error());
    init_ = std::move(*init);
    ++host_->inits;
    broken_ = false;
    init_wire::Configure configure;
    configure.filter_instructions = filter_->instructions;
    configure.highest_call = filter_->highest_call;
    configure.change_ids = host_->world.as_root ? 1 : 0;
    configure.uid = host_->world.jail_uid;
    configure.gid = host_->world.jail_gid;
    configure.inodes = limits_.inodes;
    configure.file_bytes = limits_.file_bytes;
    configure.portable = portable() ? 1 : 0;
    configure.hold_calls = host_->calls_named ? 1 : 0;
    std::vector<int> fds{filter_->program.get()};
    UniqueFd first_folder;
    if (portable()) {
        if (auto opened = open_portable(first_folder); !opened) return opened;
        fds.push_back(first_folder.get());
    } else if (last_pid_file() >= 0) {
        fds.push_back(last_pid_file());
    }
    auto sent = send(&configure, sizeof configure, fds);
    return sent ? take_box() : sent;
}

Result<void> Keeper::take_box() {
    auto ready = await(EventKind::ready, kSetupTimeout_ms);
    if (!ready) return tl::unexpected(std::move(ready).error());
    if (portable()) return {};
    box_ = std::move(received_);
    struct statfs space {};
    struct stat folder {};
    (void)::fstatfs(box_.get(), &space);
    (void)::fstat(box_.get(), &folder);
    free_inodes_ = space.f_ffree;
    free_blocks_ = space.f_bfree;
    changed_ = folder.st_ctim;
    ruleset_ = make_ruleset(std::array{Beneath{root_.get(), Access::read},
                                       Beneath{null_.get(), Access::write},
                                       Beneath{box_.get(), Access::own}});
    return {};
}

Result<void> Keeper::open_portable(UniqueFd& first_folder) {
    const World& world = host_->world;
    folder_ = PrivateFolder();  // the one before goes first: never two on the host's disk
    if (has_folder(profile_)) {
        auto made = PrivateFolder::make(world.shown.scratch(), world.jail_uid, world.jail_gid);
        if (!made) return tl::unexpected(std::move(made).error());
        folder_ = std::move(*made);
        box_.reset(::fcntl(folder_.fd(), F_DUPFD_CLOEXEC, 0));
    }
    first_folder.reset(folder_.valid() ? ::fcntl(folder_.fd(), F_DUPFD_CLOEXEC, 0)
                                       : ::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    ruleset_ = world.shown.ruleset(profile_, folder_.fd());
    if (!ruleset_.valid()) return setup_error("cannot make a Landlock ruleset", errno);
    threads_before_ = world.as_root ? 0 : threads_of(world.jail_uid);
    return {};
}

void Keeper::end_init() {
    if (!init_.pidfd.valid()) return;
    if (portable()) {  // it ends the run when we hang up; killed, it would leave orphans to us
        init_.control.reset();
        pollfd fd{init_.pidfd.get(), POLLIN, 0};
        (void)::poll(&fd, 1, kEmptyTimeout_ms);
    }
    (void)::syscall(SYS_pidfd_send_signal, init_.pidfd.get(), SIGKILL, nullptr, 0);
    siginfo_t info{};
    while (::waitid(P_PIDFD, static_cast<id_t>(init_.pidfd.get()), &info, WEXITED | __WALL) != 0 &&
           errno == EINTR) {
    }
    // init is reaped only after every process of its namespace: the cgroup is empty now.
    init_.pidfd.reset();
    --host_->inits;
    zygote_ = {};
    if (portable()) kill_adopted();
}

Keeper::~Keeper() {
    end_init();
}

/// Both times: that of what is in it cannot be set by programs, but is not moved by a new mode; the
/// other one moves with everything, but only once in a tick of the kernel's clock. Tools can set
/// times and make files without a name: theirs always counts as used.
bool Keeper::box_is_untouched() const {
    constexpr mode_t kModeOfMount = 0700;
    const auto same = [](const timespec& a, const timespec& b) {
        return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    struct stat folder {};
    struct statfs space {};
    return !has_folder(profile_) && ::fstat(box_.get(), &folder) == 0 &&
           ::fstatfs(box_.get(), &space) == 0 && same(folder.st_mtim, {}) &&
           same(folder.st_ctim, changed_) && (folder.st_mode & 07777U) == kModeOfMount &&
           space.f_ffree == free_inodes_ && space.f_bfree == free_blocks_;
}

Result<void> Keeper::reset() {
    if (portable() && !broken_ && !folder_.valid()) return {};  // nothing that could be written
    if (!broken_ && !portable() && box_is_untouched()) return {};
    box_.reset();
    if (broken_ || portable()) {
        end_init();
        return boot();
    }
    const init_wire::Simple request{RequestKind::reset};
    auto sent = send(&request, sizeof request, {});
    auto taken = sent ? take_box() : sent;
    return broken_ ? reset() : taken;
}

// ---- files, by descriptor ----------------------------------------------------------------------

namespace {

int open_in_box(int box, const std::string& name, std::uint64_t flags, std::uint64_t mode) {
    open_how how{};
    how.flags = flags | O_CLOEXEC | O_NOFOLLOW;
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
    return static_cast<int>(::syscall(SYS_openat2, box, name.c_str(), &how, sizeof how));
}

constexpr const char* kNoFolder = "has no place: in portable mode programs have no folder";

tl::unexpected<Error> file_error(std::string_view name, const char* what, int number) {
    return tl::unexpected(
        Error{Error::Code::bad_request, number,
              "file \"" + std::string(name.substr(0, 200)) + "\" of a jail " + what});
}

}  // namespace

Result<void> Keeper::put_file(std::string_view name, std::string_view bytes) {
    if (name.empty() || name.find('/') != std::string_view::npos)
        return file_error(name, "needs a name without a slash", 0);
    if (!box_.valid()) return file_error(name, kNoFolder, 0);
    if (bytes.size() > limits_.file_bytes) return file_error(name, "is too large", EFBIG);
    const UniqueFd file(
        open_in_box(box_.get(), std::string(name), O_WRONLY | O_CREAT | O_EXCL, 0644));
    if (!file.valid()) return file_error(name, "cannot be made", errno);
    if (::fchown(file.get(), host_->world.jail_uid, host_->world.jail_gid) != 0)
        return file_error(name, "cannot be handed over", errno);
    while (!bytes.empty()) {
        const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
        if (n <= 0)
            return file_error(name, "cannot be written (larger than the jail's file limit?)",
                              errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Result<std::string> Keeper::take_file(std::string_view name, std::uint64_t max_bytes) {
    if (name.empty() || name.find('/') != std::string_view::npos)
        return file_error(name, "needs a name without a slash", 0);
    if (!box_.valid()) return file_error(name, kNoFolder, 0);
    const UniqueFd file(
        open_in_box(box_.get(), std::string(name), O_RDONLY | O_NONBLOCK | O_NOCTTY, 0));
    if (!file.valid()) return file_error(name, "is absent or is a link", errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return file_error(name, "is not a regular file", 0);
    if (static_cast<std::uint64_t>(status.st_size) > max_bytes)
        return file_error(name, "is too large", EFBIG);
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = ::read(file.get(), bytes.data() + at, bytes.size() - at);
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
    }
    bytes.resize(at);
    return bytes;
}

// ---- one run -----------------------------------------------------------------------------------

Result<void> Keeper::handle_event(Watch& watch) {
    auto event = receive_event();
    if (!event) return tl::unexpected(std::move(event).error());
    if (event->kind == EventKind::violation) {
        watch.outcome.blocked_call = watch.ended ? "" : call_name(event->arch, event->number);
        watch.end(Ending::policy_violation);
    } else if (event->kind == EventKind::exited) {
        watch.outcome.leftover_processes = event->others != 0;
        watch.empty = event->others == 0;
        watch.init_cpu_ns = event->cpu_ns;
        watch.peak_bytes = std::max(watch.peak_bytes, event->max_rss_kib * 1024);
        if (!host_->calls_named && event->signaled != 0 && event->number == SIGSYS) {
            watch.outcome.blocked_call = watch.ended ? "" : "unknown";  // the filter killed it
            watch.end(Ending::policy_violation);
        }
        watch.end(event->signaled != 0 ? Ending::signaled : Ending::exited);
        watch.ended_ns = event->time_ns;
        (event->signaled != 0 ? watch.outcome.signal : watch.outcome.exit_code) = event->number;
    } else if (event->kind == EventKind::zygote_lost) {
        // Nobody else could have ended it: the run pays for that, and the jail is replaced.
        zygote_ = {};
        broken_ = true;
        watch.end(Ending::signaled);
        watch.outcome.signal = event->signaled != 0 ? event->number : SIGKILL;
    }
    return {};
}

/// What the files of /box hold: they are memory.
std::uint64_t Keeper::box_bytes() const {
    struct statfs space {};
    if (portable() || ::fstatfs(box_.get(), &space) != 0) return 0;
    return (space.f_blocks - space.f_bfree) * static_cast<std::uint64_t>(space.f_bsize);
}

/// Portable mode: nobody refuses the sum of all files, so that it ends the run.
bool Keeper::folder_is_full(Watch& watch) const {
    if (!folder_.valid()) return false;
    const PrivateFolder::Usage usage = folder_.usage(limits_.inodes);
    LimitsHit& hit = watch.outcome.limits_hit;
    hit.disk = hit.disk || usage.bytes >= limits_.file_bytes;
    hit.inodes = hit.inodes || usage.files >= limits_.inodes;
    return usage.bytes > limits_.file_bytes || usage.files > limits_.inodes;
}

void Keeper::sample(const Limits& limits, Watch& watch) {
    std::uint64_t cpu_ns = 0;
    std::uint64_t memory = 0;
    std::uint32_t processes = 0;
    const Cgroup::Counters now = host_->cgroup.counters();
    const Cgroup::Gauges gauges = host_->cgroup.gauges();
    if (!host_->cgroup.has(Controller::memory) || !host_->cgroup.has(Controller::cpu) ||
        !host_->cgroup.has(Controller::pids)) {
        const Sample sampled = sample_descendants(init_.pid, zygote_.pid);
        cpu_ns = sampled.cpu_ns;
        memory = sampled.memory_bytes + box_bytes();
        // Pages that processes share were counted once for each: look closer before it matters.
        if (memory > limits.memory_bytes)
            memory = sample_descendants(init_.pid, zygote_.pid, Precision::shares).memory_bytes +
                     box_bytes();
        processes = sampled.processes;
    }
    if (host_->cgroup.has(Controller::cpu)) cpu_ns = Cgroup::cpu_between(watch.base, now);
    if (host_->cgroup.has(Controller::memory)) memory = gauges.memory_bytes;
    if (host_->cgroup.has(Controller::pids)) processes = gauges.processes;
    watch.sampled_cpu_ns = std::max(watch.sampled_cpu_ns, cpu_ns);
    watch.peak_bytes = std::max(watch.peak_bytes, memory);
    watch.processes_peak = std::max(watch.processes_peak, processes);
    if (now.oom_kills > watch.base.oom_kills || memory > limits.memory_bytes)
        watch.end(Ending::memory_limit);
    if (cpu_ns >= static_cast<std::uint64_t>(limits.cpu_time.count()) * kMillisecond_ns)
        watch.end(Ending::cpu_limit);
    if (folder_is_full(watch)) watch.end(Ending::output_limit);
}

Result<void> Keeper::watch_until_ended(const Limits& limits, Watch& watch) {
    const std::uint64_t wall_end =
        watch.started_ns + static_cast<std::uint64_t>(limits.wall_time.count()) * kMillisecond_ns;
    while (!watch.ended) {
        std::array<pollfd, kPipes + 2> fds{};
        for (std::size_t i = 0; i < kPipes; ++i) fds[i] = {watch.pipes[i].get(), POLLIN, 0};
        fds[kPipes] = {init_.control.get(), POLLIN, 0};
        fds[kPipes + 1] = {host_->library_socket, POLLRDHUP, 0};
        const std::uint64_t wake = std::min(wall_end, watch.next_sample_ns);
        const std::uint64_t now = now_ns();
        const std::uint64_t left = wake > now ? wake - now : 0;
        const timespec timeout{static_cast<time_t>(left / 1'000'000'000U),
                               static_cast<long>(left % 1'000'000'000U)};
        (void)::ppoll(fds.data(), fds.size(), &timeout, nullptr);
        if (fds[kPipes + 1].revents != 0)
            ::_exit(0);  // nobody waits for us: the kernel ends init with us
        watch.drain(limits.output_bytes);
        if (fds[kPipes].revents != 0) {
            if (auto handled = handle_event(watch); !handled) return handled;
        }
        const std::uint64_t then = now_ns();
        if (then >= watch.next_sample_ns && !watch.ended) {
            sample(limits, watch);
            watch.next_sample_ns = then + kSampleEvery_ns;
        }
        if (then >= wall_end) watch.end(Ending::wall_limit);
    }
    return {};
}

/// Kills whatever is left; when this returns no process of the run exists.
Result<void> Keeper::empty(Watch& watch) {
    if (watch.empty) return {};
    const init_wire::Simple request{RequestKind::kill_all};
    if (auto sent = send(&request, sizeof request, {}); !sent) return sent;
    for (;;) {  // events that were on their way come first
        pollfd fd{init_.control.get(), POLLIN, 0};
        const int ready = ::poll(&fd, 1, kEmptyTimeout_ms);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {  // too slow: the whole jail goes, and a reset makes another
            broken_ = true;
            end_init();
            return {};
        }
        auto event = receive_event();
        if (!event) return tl::unexpected(std::move(event).error());
        if (event->kind != EventKind::emptied) continue;
        zygote_ = {};  // it went with the rest
        watch.init_cpu_ns = event->cpu_ns;
        watch.peak_bytes = std::max(watch.peak_bytes, event->max_rss_kib * 1024);
        return {};
    }
}

Outcome Keeper::conclude(const Limits& limits, Watch& watch) {
    watch.drain(limits.output_bytes);  // what was written before the end; may itself be too much
    Outcome& outcome = watch.outcome;
    watch.peak_bytes = std::max(watch.peak_bytes, box_bytes());  // files younger than a sample
    const Cgroup::Counters now = seen_ = host_->cgroup.counters();
    const std::uint64_t cpu_ns =
        std::max({watch.init_cpu_ns, watch.sampled_cpu_ns, Cgroup::cpu_between(watch.base, now)});
    const bool of_its_own = outcome.ending == Ending::exited || outcome.ending == Ending::signaled;
    if (of_its_own) {  // a limit that was passed between two samples, or that the kernel enforced
        if (watch.too_much_output || folder_is_full(watch)) outcome.ending = Ending::output_limit;
        if (cpu_ns > static_cast<std::uint64_t>(limits.cpu_time.count()) * kMillisecond_ns)
            outcome.ending = Ending::cpu_limit;
        const bool sampled = !host_->cgroup.has(Controller::memory);
        if (now.oom_kills > watch.base.oom_kills ||
            (sampled && watch.peak_bytes > limits.memory_bytes))
            outcome.ending = Ending::memory_limit;
    }
    if (outcome.ending != Ending::exited) outcome.exit_code = 0;
    if (outcome.ending != Ending::signaled) outcome.signal = 0;
    outcome.usage.cpu_us = cpu_ns / 1000;
    outcome.usage.wall_us =
        (watch.ended_ns > watch.started_ns ? watch.ended_ns - watch.started_ns : 0) / 1000;
    outcome.usage.peak_memory_bytes =
        outcome.ending == Ending::memory_limit ? limits.memory_bytes : watch.peak_bytes;
    outcome.usage.processes_peak = watch.processes_peak;
    outcome.usage.output_bytes = watch.output_bytes;
    // RLIMIT_NPROC reports no refusals: having been at the limit is the best that can be said.
    outcome.limits_hit.processes =
        now.refused_forks > watch.base.refused_forks ||
        (!host_->cgroup.has(Controller::pids) && watch.processes_peak >= limits.processes);
    outcome.limits_hit.file_size = outcome.ending == Ending::signaled && outcome.signal == SIGXFSZ;
    struct statfs space {};
    if (!portable() && ::fstatfs(box_.get(), &space) == 0) {
        outcome.limits_hit.disk = space.f_bfree == 0;
        outcome.limits_hit.inodes = space.f_ffree == 0;
    }
    outcome.calls_named = host_->calls_named;
    outcome.landlock_abi = ruleset_.valid() ? static_cast<std::uint32_t>(landlock_abi()) : 0;
    outcome.limits_in_force = limits_in_force();
    outcome.out = std::move(watch.bytes[0]);
    outcome.err = std::move(watch.bytes[1]);
    outcome.answer = std::move(watch.bytes[2]);
    return std::move(outcome);
}

LimitsInForce Keeper::limits_in_force() const {
    LimitsInForce f;
    f.cpu = host_->cgroup.has(Controller::cpu) ? Limiter::cgroup : Limiter::sampled;
    f.memory = host_->cgroup.has(Controller::memory) ? Limiter::cgroup : Limiter::sampled;
    f.processes = host_->cgroup.has(Controller::pids) ? Limiter::cgroup : Limiter::rlimit;
    f.wall = Limiter::keeper;
    f.output = Limiter::keeper;
    f.files = !portable() ? Limiter::mount : folder_.valid() ? Limiter::sampled : Limiter::rlimit;
    return f;
}

Result<Outcome> Keeper::run(const helper_protocol::RunRequest& request, int stdin_fd,
                            int image_fd) {
    if (broken_) return init_lost();
    Watch watch;
    std::vector<UniqueFd> theirs;
    std::vector<int> fds{stdin_fd};
    for (UniqueFd& ours : watch.pipes) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return setup_error("cannot make a pipe", errno);
        ours.reset(ends[0]);
        theirs.emplace_back(ends[1]);
        (void)::fcntl(ends[0], F_SETFL, O_NONBLOCK);
        fds.push_back(ends[1]);
    }
    watch.base = seen_;
    auto started = start(request, fds, image_fd);
    if (!started) return tl::unexpected(std::move(started).error());
    watch.started_ns = started->time_ns;
    watch.next_sample_ns = watch.started_ns + kSampleEvery_ns;
    watch.base.cpu_ns = host_->cgroup.cpu_ns();  // what came before was our work
    watch.outcome.forked = zygote_.pid > 0;
    theirs.clear();
    if (auto watched = watch_until_ended(request.limits, watch); !watched)
        return tl::unexpected(std::move(watched).error());
    if (auto emptied = empty(watch); !emptied) return tl::unexpected(std::move(emptied).error());
    return conclude(request.limits, watch);
}

}  // namespace sandbox

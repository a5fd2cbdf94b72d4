// How a run begins: executed by init, or forked by the jail's zygote, which is started when needed.
// Does not watch it: keeper.cpp does.
// See keeper.hpp.
#include "sandbox/helper/files.hpp"
#include "sandbox/helper/keeper.hpp"
#include "sandbox/helper/landlock.hpp"

#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sandbox {

using init_wire::Event;
using init_wire::EventKind;
using init_wire::RequestKind;

namespace {

constexpr int kStartTimeout_ms = 10'000;  // a loaded host may be slow; no limit of a program
constexpr std::uint64_t kSampledStackBytes = 64U << 20U;  // threads reserve as much each
constexpr std::uint64_t kSampledDataFactor = 16;
constexpr int kAbiOfSignalScope = 6;

std::string joined(const helper_protocol::RunRequest& request, const std::string& path) {
    std::string strings;
    if (!request.by_image) strings += path + '\0';
    for (const auto* list : {&request.argv, &request.env}) {
        for (const std::string& text : *list) strings += text + '\0';
    }
    return strings;
}

}  // namespace

/// A child must not reach its zygote by a signal, and init must know that a run left nothing
/// without killing the zygote: where the kernel lacks what that takes, every run is executed.
bool Keeper::can_fork() const {
    static const bool kCan = landlock_abi() >= kAbiOfSignalScope && last_pid_file() >= 0;
    return kCan && ruleset_.valid() && !portable() && host_->calls_named;
}

/// Processes of ours that may count where programs do: this one, inits, a zygote.
std::uint32_t Keeper::relatives_now() const {
    return 1 + host_->inits + (zygote_.pid > 0 ? 1 : 0);
}

/// Threads beside the run's that have the id of programs, which is what RLIMIT_NPROC counts.
std::uint32_t Keeper::counted_by_rlimit() const {
    if (portable()) return threads_before_;
    if (host_->world.as_root) return zygote_.pid > 0 ? 1 : 0;
    return relatives_now();  // in a user namespace all of us have the one id
}

init_wire::Run Keeper::wire_form(const Limits& limits) const {
    init_wire::Run run;
    run.open_files = limits.open_files;
    run.processes =
        host_->cgroup.has(Controller::pids) ? 0 : limits.processes + counted_by_rlimit();
    run.cpu_seconds = static_cast<std::uint32_t>(limits.cpu_time.count() / 1000 + 2);
    run.file_bytes = limits.file_bytes;
    // As large as memory, so that recursion is limited by memory. Without a cgroup the sum is
    // sampled; RLIMIT_DATA only bounds what one process can take between two samples: it counts
    // reservations, and a refusal would look like the program's own fault.
    const bool sampled = !host_->cgroup.has(Controller::memory);
    run.stack_bytes =
        sampled ? std::min(limits.memory_bytes, kSampledStackBytes) : limits.memory_bytes;
    run.data_bytes = sampled ? kSampledDataFactor * limits.memory_bytes : 0;
    return run;
}

Result<void> Keeper::send_run(init_wire::Run& run, const std::string& strings,
                              const std::vector<int>& streams, int image_fd) {
    std::vector<int> fds = streams;
    run.ruleset = ruleset_.valid() ? 1 : 0;
    if (ruleset_.valid()) fds.push_back(ruleset_.get());
    run.by_image = image_fd >= 0 ? 1 : 0;
    if (image_fd >= 0) fds.push_back(image_fd);
    for (const int procs : host_->cgroup.procs()) fds.push_back(procs);
    run.cgroups = static_cast<std::uint32_t>(host_->cgroup.procs().size());
    run.strings_size = static_cast<std::uint32_t>(strings.size());
    std::string message(reinterpret_cast<const char*>(&run), sizeof run);
    message += strings;
    return send(message.data(), message.size(), fds);
}

Result<void> Keeper::start_zygote(init_wire::Run run, const std::string& strings, int image_fd) {
    int ends[2];
    const UniqueFd nothing(::memfd_create("nothing", MFD_CLOEXEC));
    if (!nothing.valid() || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return tl::unexpected(Error{Error::Code::setup_failed, errno, "cannot make a pipe"});
    zygote_.words.reset(ends[0]);
    const UniqueFd theirs(ends[1]);
    zygote_.command = strings;
    run.kind = RequestKind::start_zygote;
    const std::vector<int> streams{nothing.get(), theirs.get(), theirs.get(), theirs.get()};
    if (auto sent = send_run(run, strings, streams, image_fd); !sent) return sent;
    auto started = await(EventKind::started, kStartTimeout_ms);
    if (!started) return tl::unexpected(std::move(started).error());
    // The only child that init has now.
    const std::string init = std::to_string(init_.pid);
    const std::string children =
        read_file(host_proc(), (init + "/task/" + init + "/children").c_str());
    zygote_.pid = static_cast<pid_t>(std::strtol(children.c_str(), nullptr, 10));
    return {};
}

/// Between two runs nothing is sent but this: somebody ended it, and the next run starts another.
Result<void> Keeper::hear_of_lost_zygote() {
    pollfd control{init_.control.get(), POLLIN, 0};
    if (::poll(&control, 1, 0) <= 0) return {};
    auto event = receive_event();
    if (!event) return tl::unexpected(std::move(event).error());
    if (event->kind == EventKind::zygote_lost) zygote_ = {};
    return {};
}

Error Keeper::zygote_failed() {
    char words[512];
    const ssize_t n = ::read(zygote_.words.get(), words, sizeof words);
    zygote_ = {};
    return {Error::Code::setup_failed, 0,
            "an interpreter ended before its first case: " +
                std::string(words, n > 0 ? static_cast<std::size_t>(n) : 0)};
}

/// Starts the program; gives init's event of it.
Result<Event> Keeper::start(const helper_protocol::RunRequest& request,
                            const std::vector<int>& streams, int image_fd) {
    const std::string strings = joined(request, host_path(request.path));
    if (strings.size() > init_wire::kMaxStrings)
        return tl::unexpected(
            Error{Error::Code::bad_request, E2BIG, "arguments and environment exceed 64 KiB"});
    const bool fork = request.zygote && can_fork();
    if (auto heard = hear_of_lost_zygote(); !heard) return tl::unexpected(std::move(heard).error());
    if (zygote_.pid > 0 && (!fork || zygote_.command != strings))
        return tl::unexpected(
            Error{Error::Code::bad_request, 0, "a jail with a zygote runs nothing else"});
    init_wire::Run run = wire_form(request.limits);
    run.argc = static_cast<std::uint32_t>(request.argv.size());
    run.envc = static_cast<std::uint32_t>(request.env.size());
    if (fork && zygote_.pid < 0) {
        if (auto started = start_zygote(run, strings, image_fd); !started)
            return tl::unexpected(std::move(started).error());
        run = wire_form(request.limits);
    }
    if (auto set = host_->cgroup.set(request.limits, relatives_now()); !set)
        return tl::unexpected(std::move(set).error());
    if (fork) run.kind = RequestKind::fork;
    auto sent = send_run(run, fork ? "" : strings, streams, fork ? -1 : image_fd);
    if (!sent) return tl::unexpected(std::move(sent).error());
    return await(EventKind::started, kStartTimeout_ms);
}

}  // namespace sandbox

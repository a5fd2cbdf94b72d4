// Outside of one jail: starts programs in it through init, watches clocks, limits and output,
// decides why a run ended and only then has it killed. Does not confine: jail_steps.cpp and
// case_steps.cpp do. Used by helper/main.cpp.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/helper/cgroup.hpp"
#include "sandbox/helper/filter.hpp"
#include "sandbox/helper/init_wire.hpp"
#include "sandbox/helper/jail_steps.hpp"
#include "sandbox/helper/world.hpp"
#include "sandbox/helper_protocol.hpp"
#include "sandbox/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// What every jail of a helper needs.
struct Host {
    World world;
    CgroupHost cgroups;
    bool calls_named = true;  // else filters kill by themselves
    Cgroup cgroup;  // of its one jail at a time: empty between jails, counters by difference
    int library_socket = -1;  // its hang-up ends everything
    std::uint32_t inits = 0;  // alive: of the jail in use and of those parked
};

/// An interpreter that forks for each run. init's business; we know what must not be counted.
struct Zygote {
    pid_t pid = -1;       // as the helper sees it; -1: none
    std::string command;  // what it was started with
    UniqueFd words;       // what it prints, should it not start
};

class Keeper {
  public:
    /// `host` and `filter` must outlive the keeper.
    static Result<Keeper> create(Host& host, Profile profile, const Filter& filter,
                                 const Limits& limits);
    Keeper(Keeper&& other) noexcept = default;
    Keeper& operator=(Keeper&& other) noexcept = delete;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    ~Keeper();  // kills init, and with it every process of the jail

    [[nodiscard]] bool fits(const Limits& limits) const { return limits_ == limits; }
    /// Before its first run: what other jails did while this one was parked is not its own.
    void enter_service() { seen_ = host_->cgroup.counters(); }
    Result<Outcome> run(const helper_protocol::RunRequest& request, int stdin_fd, int image_fd);
    Result<void> reset();
    Result<void> put_file(std::string_view name, std::string_view bytes);
    Result<std::string> take_file(std::string_view name, std::uint64_t max_bytes);

  private:
    Keeper(Host& host, Profile profile, const Filter& filter, const Limits& limits)
        : host_(&host), filter_(&filter), profile_(profile), limits_(limits) {}

    Result<void> boot();  // a new init and a new /box
    /// Portable mode: ruleset and first folder of programs, instead of mounts.
    Result<void> open_portable(UniqueFd& first_folder);
    void end_init();

    struct Watch;  // state of the run in progress
    bool folder_is_full(Watch& watch) const;
    Result<void> send(const void* request, std::size_t size, const std::vector<int>& fds);
    Result<init_wire::Event> await(init_wire::EventKind wanted, int timeout_ms);
    Result<init_wire::Event> receive_event();
    Result<void> take_box();  // after init said that it is ready
    /// Nothing was made or changed in /box since init mounted it: a new one would be the same.
    [[nodiscard]] bool box_is_untouched() const;
    // keeper_start.cpp:
    [[nodiscard]] bool can_fork() const;
    [[nodiscard]] std::uint32_t relatives_now() const;
    [[nodiscard]] std::uint32_t counted_by_rlimit() const;
    [[nodiscard]] init_wire::Run wire_form(const Limits& limits) const;
    Result<void> send_run(init_wire::Run& run, const std::string& strings,
                          const std::vector<int>& streams, int image_fd);
    Result<void> start_zygote(init_wire::Run run, const std::string& strings, int image_fd);
    Error zygote_failed();
    Result<void> hear_of_lost_zygote();
    Result<init_wire::Event> start(const helper_protocol::RunRequest& request,
                                   const std::vector<int>& streams, int image_fd);
    Result<void> watch_until_ended(const Limits& limits, Watch& watch);
    Result<void> handle_event(Watch& watch);
    [[nodiscard]] std::uint64_t box_bytes() const;
    void sample(const Limits& limits, Watch& watch);
    Result<void> empty(Watch& watch);
    Outcome conclude(const Limits& limits, Watch& watch);
    [[nodiscard]] std::string host_path(const std::string& path) const {
        return portable() ? host_->world.shown.host_path(profile_, path) : path;
    }
    [[nodiscard]] bool portable() const { return host_->world.mode == Mode::portable; }
    [[nodiscard]] LimitsInForce limits_in_force() const;

    Host* host_;
    const Filter* filter_;
    Profile profile_;
    Limits limits_;  // of /box
    InitProcess init_;
    PrivateFolder folder_;              // portable mode: of a compiler's jail
    std::uint32_t threads_before_ = 0;  // portable mode: of the user, before the run
    UniqueFd root_;                     // the view, as a program sees it
    UniqueFd null_;                     // its /dev/null
    UniqueFd box_;      // the folder /box, by descriptor; portable mode: the private folder
    UniqueFd ruleset_;  // Landlock's, of this /box
    std::uint64_t free_inodes_ = 0, free_blocks_ = 0;  // of a /box that nobody used
    timespec changed_{};                               // its time of the last change
    Zygote zygote_;
    Cgroup::Counters seen_;  // at the end of the last run: nothing of a jail counts between runs
    UniqueFd received_;      // descriptor that came with the last event
    bool broken_ = false;    // init is dead or did not empty the jail: reset() boots another
};

}  // namespace sandbox

// Library calls on one side, spawns of the same static program on the other.
// Judges no outcome but that the program ran.
// See bench_jail.hpp.
#include "tools/bench_jail.hpp"

#include "sandbox/jail.hpp"
#include "tools/own_path.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <thread>

#include <unistd.h>

namespace tools::bench {

namespace {

constexpr int kRow = 20;

/// A helper, and the program that its jails run.
struct Stage {
    sandbox::Image image;
    sandbox::Supervisor supervisor;
    sandbox::Limits limits;
};

Stage make_stage(const Plan& plan) {
    return {need(sandbox::Image::from_file(plan.folder / "bench_true")),
            need(sandbox::Supervisor::start(
                {helper_program(), {need(sandbox::standard_view(sandbox::Profile::native))}})),
            {}};
}

sandbox::Jail make_jail(Stage& stage) {
    return need(sandbox::Jail::create(stage.supervisor, sandbox::Profile::native, stage.limits));
}

void run_once(Stage& stage, sandbox::Jail& jail) {
    sandbox::Command command;
    command.image = &stage.image;
    command.argv = {"true"};
    const sandbox::Outcome outcome = need(jail.run(command, stage.limits));
    if (outcome.ending != sandbox::Ending::exited || outcome.exit_code != 0)
        fail("the jailed program did not exit with 0");
}

/// `times` runs in one jail, emptied after each.
double row(Stage& stage, sandbox::Jail& jail, int times) {
    const double start = now_us();
    for (int i = 0; i < times; ++i) {
        run_once(stage, jail);
        if (!jail.reset()) fail("reset");
    }
    return now_us() - start;
}

/// Two loops at once, each on its own: microseconds until both are done.
double both(const Measure& first, const Measure& second) {
    const double start = now_us();
    std::thread other([&] { (void)second(); });
    (void)first();
    other.join();
    return now_us() - start;
}

void two_at_once(const Plan& plan, Bare& bare) {
    Bare bare_too(plan.folder / "bench_bare");
    Stage stages[2] = {make_stage(plan), make_stage(plan)};
    sandbox::Jail jails[2] = {make_jail(stages[0]), make_jail(stages[1])};
    const std::string program = (plan.folder / "bench_true").string();
    const auto bare_row = [&](Bare& from) {
        return [&from, &program] { return from.run(kRow, "/dev/null", {program}); };
    };
    pair(
        plan, "two at once: 2 x 20 bare spawns / 2 x 20 pooled runs", ">= 0.85",
        [&] { return both(bare_row(bare), bare_row(bare_too)); },
        [&] {
            return both([&] { return row(stages[0], jails[0], kRow); },
                        [&] { return row(stages[1], jails[1], kRow); });
        });
}

/// The only child of a process, by the kernel's list.
pid_t child_of(pid_t pid) {
    std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", pid));
    std::string last;
    for (std::string word; list >> word;) last = word;
    return static_cast<pid_t>(std::atol(last.c_str()));
}

double cpu_us(pid_t pid) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
        fail("cannot read the CPU time of the helper");
    return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

void supervisor_cpu(const Plan& plan) {
    constexpr int kRuns = 1000;
    Stage stage = make_stage(plan);
    sandbox::Jail jail = make_jail(stage);
    (void)row(stage, jail, kRow);
    const pid_t own = ::getpid();
    const pid_t helper = child_of(own);
    const pid_t init = child_of(helper);
    const double before[] = {cpu_us(own), cpu_us(helper), cpu_us(init)};
    (void)row(stage, jail, kRuns);
    note(plan, "CPU of ours per pooled run with reset",
         fmt::format("library {:.0f} us, helper {:.0f} us, init {:.0f} us",
                     (cpu_us(own) - before[0]) / kRuns, (cpu_us(helper) - before[1]) / kRuns,
                     (cpu_us(init) - before[2]) / kRuns));
}

}  // namespace

void bench_jail(const Plan& plan, Bare& bare) {
    const std::string program = (plan.folder / "bench_true").string();
    Stage stage = make_stage(plan);
    pair(
        plan, "cold jail, library call / bare spawn of static true", "<= 2.5",
        [&] {
            const double start = now_us();
            {
                sandbox::Jail jail = make_jail(stage);
                if (!jail.put_file("input", "12 words")) fail("put_file");
                run_once(stage, jail);
            }
            return now_us() - start;
        },
        [&] { return bare.run(1, "/dev/null", {program}); });
    sandbox::Jail jail = make_jail(stage);
    pair(
        plan, "pooled: 20 runs in one jail, reset after each / 20 spawns", "<= 1.3",
        [&] { return row(stage, jail, kRow); },
        [&] { return bare.run(kRow, "/dev/null", {program}); });
    two_at_once(plan, bare);
    supervisor_cpu(plan);
}

}  // namespace tools::bench

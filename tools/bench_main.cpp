// Measures the jail's costs as paired ratios in one run, and peers beside it.
// Asserts nothing: machines are noisy, so it prints medians and leaves judging to people.
// Started by tools/bench.
#include "sandbox/child.hpp"
#include "sandbox/jail.hpp"
#include "sandbox/launch.hpp"
#include "tools/bench_submission.hpp"
#include "tools/own_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

double now_us() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

[[noreturn]] void fail(const std::string& what) {
    (void)std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(3);  // NOLINT(concurrency-mt-unsafe): one thread
}

template <class T>
T need(sandbox::Result<T> result) {
    if (!result) fail(result.error().what);
    return std::move(*result);
}

/// The small static process from which every baseline is started.
class Bare {
  public:
    explicit Bare(const fs::path& program) {
        int in[2];
        int out[2];
        if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) fail("no pipes");
        commands_.reset(in[1]);
        answers_.reset(out[0]);
        const sandbox::UniqueFd theirs_in(in[0]);
        const sandbox::UniqueFd theirs_out(out[1]);
        child_ = need(sandbox::launch({program, {}, {}, {{0, in[0]}, {1, out[1]}, {2, 2}}}));
    }

    /// Microseconds of `times` runs one after the other.
    double run(int times, const std::string& input, const std::vector<std::string>& words) {
        std::string line = std::to_string(times) + "\t" + input;
        for (const std::string& word : words) line += "\t" + word;
        line += "\n";
        if (::write(commands_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            fail("bare process died");
        std::string answer;
        for (char c = 0; ::read(answers_.get(), &c, 1) == 1 && c != '\n';) answer += c;
        const long long ns = std::atoll(answer.c_str());
        if (answer.empty() || ns < 0) fail("bare run failed: " + line);
        return static_cast<double>(ns) / 1e3;
    }

  private:
    sandbox::UniqueFd commands_, answers_;
    sandbox::Child child_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::string wanted;  // part of the names of the pairs to run; empty: all

/// Runs the two in turn and prints the median of the ratios, pair by pair.
void pair(const std::string& name, const std::string& goal, int rounds,
          const std::function<double()>& ours, const std::function<double()>& bare) {
    if (name.find(wanted) == std::string::npos) return;
    std::vector<double> ratios, ours_us, bare_us;
    (void)ours();
    (void)bare();
    for (int i = 0; i < rounds; ++i) {
        const double b = bare();
        const double o = ours();
        ratios.push_back(o / b);
        ours_us.push_back(o);
        bare_us.push_back(b);
    }
    std::vector<double> sorted = ratios;
    std::sort(sorted.begin(), sorted.end());
    fmt::print("{:<52} {:>6.2f} {:>6.2f} {:>6.2f} {:>10.0f} {:>10.0f} {:>5} {:>10}\n", name,
               median(ratios), sorted[sorted.size() / 10], sorted[sorted.size() * 9 / 10],
               median(ours_us), median(bare_us), rounds, goal);
    (void)std::fflush(stdout);
}

sandbox::Outcome run_once(sandbox::Jail& jail, const sandbox::Image& image,
                          const sandbox::Limits& limits) {
    sandbox::Command command;
    command.image = &image;
    command.argv = {"true"};
    sandbox::Outcome outcome = need(jail.run(command, limits));
    if (outcome.ending != sandbox::Ending::exited || outcome.exit_code != 0)
        fail("the jailed program did not exit with 0");
    return outcome;
}

void bench_jail(Bare& bare, const fs::path& folder, int rounds) {
    const fs::path program = folder / "bench_true";
    const sandbox::Image image = need(sandbox::Image::from_file(program));
    auto supervisor = need(sandbox::Supervisor::start(
        {tools::helper_program(), {need(sandbox::standard_view(sandbox::Profile::native))}}));
    const sandbox::Limits limits;
    const auto bare_true = [&] { return bare.run(1, "/dev/null", {program.string()}); };
    pair(
        "cold jail, library call / bare spawn of static true", "<= 2.5", rounds,
        [&] {
            const double start = now_us();
            {
                auto jail =
                    need(sandbox::Jail::create(supervisor, sandbox::Profile::native, limits));
                if (!jail.put_file("input", "12 words").has_value()) fail("put_file");
                (void)run_once(jail, image, limits);
            }
            return now_us() - start;
        },
        bare_true);
    auto jail = need(sandbox::Jail::create(supervisor, sandbox::Profile::native, limits));
    pair(
        "parked jail with reset / bare spawn of static true", "", rounds,
        [&] {
            const double start = now_us();
            (void)run_once(jail, image, limits);
            if (!jail.reset().has_value()) fail("reset");
            return now_us() - start;
        },
        bare_true);
}

/// Peers of the distribution, where they are installed: the same program, started as a user would.
void bench_peers(Bare& bare, const fs::path& folder, int rounds) {
    const std::string program = (folder / "bench_true").string();
    const auto bare_true = [&] { return bare.run(1, "/dev/null", {program}); };
    struct Peer {
        const char* name;
        const char* path;
        std::vector<std::string> words;
    };
    const std::array peers{
        Peer{"bubblewrap, all namespaces, no filter, no limits",
             "/usr/bin/bwrap",
             {"/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind",
              program, "/true", "--tmpfs", "/box", "--dev", "/dev", "--proc", "/proc", "/true"}},
    };
    for (const Peer& peer : peers) {
        if (!fs::exists(peer.path)) {
            fmt::print("{:<52} not installed\n", peer.name);
            continue;
        }
        pair(
            std::string(peer.name) + " / bare", "", rounds,
            [&] { return bare.run(1, "/dev/null", peer.words); }, bare_true);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(5, std::atoi(argv[1])) : 60;
    if (argc > 2) wanted = argv[2];
    const fs::path folder = tools::own_program().parent_path();
    Bare bare(folder / "bench_bare");
    fmt::print("{:<52} {:>6} {:>6} {:>6} {:>10} {:>10} {:>5} {:>10}\n", "ratio of", "median", "p10",
               "p90", "ours us", "bare us", "pairs", "goal");
    bench_jail(bare, folder, rounds);
    bench_peers(bare, folder, rounds);
    tools::bench_submission(
        [&](int times, const std::string& input, const std::vector<std::string>& words) {
            return bare.run(times, input, words);
        },
        pair, std::max(3, rounds / 10));
    return 0;
}

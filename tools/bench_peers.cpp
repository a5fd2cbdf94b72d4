// One row per peer: its command line, and what of a full jail it leaves out.
// A peer that does not start here is named, not dropped.
// See bench_peers.hpp.
#include "tools/bench_peers.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <unistd.h>

namespace tools::bench {

namespace {

namespace fs = std::filesystem;

/// The smallest bundle that the OCI runtime specification allows for one static program.
constexpr std::string_view kBundle = R"({"ociVersion": "1.0.0",
 "process": {"user": {"uid": 65534, "gid": 65534}, "args": ["/true"], "cwd": "/", "noNewPrivileges": true},
 "root": {"path": "rootfs", "readonly": true}, "hostname": "peer",
 "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"}],
 "linux": {"namespaces": [{"type": "pid"}, {"type": "network"}, {"type": "ipc"}, {"type": "uts"},
  {"type": "mount"}]}})";

/// A bundle folder that is removed at the end.
class Bundle {
  public:
    explicit Bundle(const fs::path& program)
        : path_(fs::temp_directory_path() / fmt::format("perfjudge-peer-{}", ::getpid())) {
        fs::create_directories(path_ / "rootfs/proc");
        fs::copy_file(program, path_ / "rootfs/true", fs::copy_options::overwrite_existing);
        std::ofstream(path_ / "config.json") << kBundle;
    }
    ~Bundle() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    Bundle(const Bundle&) = delete;
    Bundle& operator=(const Bundle&) = delete;
    Bundle(Bundle&&) = delete;
    Bundle& operator=(Bundle&&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    fs::path path_;
};

}  // namespace

void bench_peers(const Plan& plan, Bare& bare) {
    const fs::path file = plan.folder / "bench_true";
    const std::string program = file.string();
    const Bundle bundle(file);
    struct Peer {
        std::string name;
        std::vector<std::string> words;
    };
    const std::array peers{
        Peer{"bubblewrap, all namespaces, no filter, no limits",
             {"/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind",
              program, "/true", "--tmpfs", "/box", "--dev", "/dev", "--proc", "/proc", "/true"}},
        Peer{"firejail, its own filter, no capabilities, no network",
             {"/usr/bin/firejail", "--quiet", "--noprofile", "--net=none", "--caps.drop=all",
              "--nonewprivs", "--seccomp", "--private", program}},
        Peer{"crun, five namespaces, no filter, no limits",
             {"/usr/bin/crun", "run", "--bundle", bundle.path(), "perfjudge-peer"}},
    };
    for (const Peer& peer : peers) {
        if (!fs::exists(peer.words.front())) {
            note(plan, peer.name, "not installed");
        } else if (bare.try_run(1, "/dev/null", peer.words) < 0) {
            note(plan, peer.name, "does not start here");
        } else {
            pair(
                plan, peer.name, "", [&] { return bare.run(1, "/dev/null", peer.words); },
                [&] { return bare.run(1, "/dev/null", {program}); });
        }
    }
}

}  // namespace tools::bench

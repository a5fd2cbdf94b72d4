// The library's face: a Supervisor owns one perfjudge-jail helper, a Jail is one jail in it.
// Does not judge, does not retry, keeps no state between jails.
// Called by workers and by `perfjudge jail`.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/mode.hpp"
#include "sandbox/outcome.hpp"
#include "sandbox/unique_fd.hpp"
#include "sandbox/view.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

/// Bytes of a program, sealed in memory, handed to a jail by descriptor: no path, no copy per run.
class Image {
  public:
    static Result<Image> from_bytes(std::string_view bytes);
    static Result<Image> from_file(const std::filesystem::path& path);
    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

  private:
    UniqueFd fd_;
    std::uint64_t size_ = 0;
};

/// What to run. Exactly one of `image` and `path` says which program.
struct Command {
    const Image* image = nullptr;   // run from memory; argv[0] is only a name
    std::string path;               // absolute, inside the jail's view
    std::vector<std::string> argv;  // argv[0] included
    std::vector<std::string> env;   // "NAME=value"; nothing is inherited
    std::string_view
        stdin_bytes;  // what descriptor 0 reads; kept by the caller until run() returns
    // The program is an interpreter that calls perfjudge_zygote_serve(): start it once, fork each
    // run from it. Where the kernel lacks what that takes, each run is executed.
    bool zygote = false;
};

struct SupervisorOptions {
    std::filesystem::path helper;             // perfjudge-jail
    std::vector<View> views;                  // one per profile that jails will use
    std::optional<Mode> mode = std::nullopt;  // none: full if this host can, else portable
    std::filesystem::path scratch = "/tmp";   // portable mode: where compilers' folders are made
    bool ahead = true;                        // make jails ahead of need, while no request comes
};

/// One helper process. Its death, or ours, ends every jail in it.
class Supervisor {
  public:
    /// Errors: host_unsupported, with the reason of every mode that was tried.
    static Result<Supervisor> start(const SupervisorOptions& options);
    Supervisor(Supervisor&&) noexcept;
    Supervisor& operator=(Supervisor&&) noexcept;
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;
    ~Supervisor();
    [[nodiscard]] Mode mode() const;
    /// Why it is not full, where the mode was left to us; else empty.
    [[nodiscard]] const std::string& why_not_full() const;

  private:
    friend class Jail;
    struct Connection;
    explicit Supervisor(std::unique_ptr<Connection> connection);
    static Result<Supervisor> start_in(Mode mode, const SupervisorOptions& options);
    std::unique_ptr<Connection> connection_;
};

/// One jail: namespaces, a private writable folder /box, and every process in it. Serves one
/// submission and repeat. create(), put_file() and reset() do not wait until it is done: their
/// Errors come with the next run(), take_file() or settle(). Move-only; the destructor ends every
/// process and removes everything. Must not outlive its Supervisor. One jail per Supervisor at a
/// time.
class Jail {
  public:
    /// `limits` fixes the size of /box (file_bytes, inodes) for the jail's life.
    static Result<Jail> create(Supervisor& supervisor, Profile profile, const Limits& limits);
    Jail(Jail&&) noexcept;
    Jail& operator=(Jail&&) noexcept;
    Jail(const Jail&) = delete;
    Jail& operator=(const Jail&) = delete;
    ~Jail();

    /// A regular file `name` (no slash) in /box, readable and writable by the program.
    Result<void> put_file(std::string_view name, std::string_view bytes);
    /// Runs one program to its end; when this returns, no process of the run is left. Once per
    /// reset.
    Result<Outcome> run(const Command& command, const Limits& limits);
    /// Empty again: no process but init and a zygote, a new /box.
    Result<void> reset();
    /// Waits for all that was asked for; gives the first Error.
    Result<void> settle();
    /// Bytes of the regular file `name` in /box; links are not followed.
    /// Errors: bad_request if it is absent, not regular, or longer than max_bytes.
    Result<std::string> take_file(std::string_view name, std::uint64_t max_bytes);

  private:
    explicit Jail(Supervisor::Connection* connection);
    Supervisor::Connection* connection_ = nullptr;
};

}  // namespace sandbox

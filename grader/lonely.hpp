// A host-wide lock: ordinary cases share the host, a lonely run has it alone among workers.
// Does not know what runs. Keeps out no other program of the host.
// Used by worker.cpp around every build and case.
#pragma once

#include "grader/error.hpp"
#include "sandbox/unique_fd.hpp"

#include <filesystem>

namespace grader {

/// Two flock files: `room` is held while something runs, `turnstile` only on the way in; a lonely
/// run keeps the turnstile while it waits, so that no stream of ordinary cases can starve it.
class Host {
  public:
    /// A stay in the room; leaves at destruction. Movable, not copyable.
    class Stay {
      public:
        explicit Stay(int room) : room_(room) {}
        Stay(Stay&& other) noexcept : room_(other.room_) { other.room_ = -1; }
        Stay& operator=(Stay&& other) noexcept;
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;
        ~Stay() { leave(); }

      private:
        void leave();
        int room_ = -1;  // owned by the Host, which outlives the stay
    };

    /// Opens or makes the two files in `folder`, which every worker of the host has to share.
    /// Errors: cannot_judge, naming the file.
    static Result<Host> open(const std::filesystem::path& folder);

    /// Beside other ordinary runs. Waits for a lonely one. At most one stay per Host at a time.
    Result<Stay> enter();
    /// Alone. Waits for all others.
    Result<Stay> enter_alone();

  private:
    Host(sandbox::UniqueFd turnstile, sandbox::UniqueFd room);
    Result<Stay> pass(int operation);
    sandbox::UniqueFd turnstile_, room_;
};

}  // namespace grader

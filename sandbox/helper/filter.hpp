// A policy as a kernel filter, and system calls by name. Only user of libseccomp.
// Does not load a filter: case_steps.cpp does.
// Called by the helper once per profile.
#pragma once

#include "sandbox/error.hpp"
#include "sandbox/policy.hpp"
#include "sandbox/unique_fd.hpp"

#include <cstdint>
#include <string>

namespace sandbox {

/// What becomes of calls without a row: held for init, who names them; or, where there can be no
/// listener, the process is killed. Numbers that nobody can name get ENOSYS either way.
enum class Unlisted : std::uint8_t { held, killed };

struct Filter {
    UniqueFd program;  // a memfd of struct sock_filter, ready to be mapped
    std::uint32_t instructions = 0;
    std::int32_t highest_call = 0;  // the highest number that this build can name
};

/// Compiles a policy. Foreign ABIs have no row.
Result<Filter> compile(const Policy& policy, Unlisted unlisted = Unlisted::held);

/// Whether calls can be held here: not on old kernels, nor where a sandbox around us holds calls.
bool can_hold_calls();

/// libseccomp's own rendering of the compiled policy, for golden files.
Result<std::string> pseudo_code(const Policy& policy);

/// "openat", "i386:getpid", "x32:getpid", "unknown:460".
std::string call_name(std::uint32_t arch, std::int32_t number);

}  // namespace sandbox

// The kernel's own words about this host, as texts, and simple facts read from them.
// Tries nothing: probes do.
// Read once by examine.cpp; tests write the texts of other hosts by hand.
#pragma once

#include <string>
#include <string_view>

namespace sandbox::doctor {

/// Empty text: the file is not there.
struct HostTexts {
    bool as_root = false;
    std::string machine, release;                // uname
    std::string status, mountinfo, self_cgroup;  // of /proc/self
    std::string userns_clone;                    // kernel.unprivileged_userns_clone (Debian)
    std::string apparmor_userns;                 // kernel.apparmor_restrict_unprivileged_userns
    std::string max_user_namespaces;             // user.max_user_namespaces
    std::string memfd_noexec;                    // vm.memfd_noexec
    std::string core_pattern;
    bool docker = false;   // /.dockerenv or /run/.containerenv
    bool systemd = false;  // /run/systemd/system
};

HostTexts read_host_texts();

/// Value of "Key:\tvalue" in /proc/self/status; empty if absent.
std::string status_value(std::string_view status, std::string_view key);
/// A sysctl's text is this number.
bool is_number(std::string_view text, int number);
/// A filter of somebody else holds this process already.
bool filtered(const HostTexts& host);
/// CAP_SYS_ADMIN is among the effective capabilities.
bool can_administer(const HostTexts& host);
/// / is no mount point, as in a chroot.
bool in_chroot(const HostTexts& host);
/// The options of what is mounted on `point` last; empty if nothing is.
std::string mount_options(std::string_view mountinfo, std::string_view point);

enum class Wsl { no, one, two };
Wsl wsl(const HostTexts& host);

/// "6.1.0-18-amd64" is at least major.minor; false for what is no release.
bool kernel_at_least(std::string_view release, int major, int minor);

}  // namespace sandbox::doctor

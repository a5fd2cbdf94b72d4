// Reading of the texts, and their parsing.
// Everything but read_host_texts() is pure.
// See host_texts.hpp.
#include "sandbox/doctor/host_texts.hpp"

#include "sandbox/hierarchy.hpp"
#include "sandbox/kernel_file.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <sys/utsname.h>
#include <unistd.h>

namespace sandbox::doctor {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::string sysctl(const char* name) {
    return std::string(trimmed(text_of(std::filesystem::path("/proc/sys") / name)));
}

}  // namespace

HostTexts read_host_texts() {
    HostTexts host;
    host.as_root = ::geteuid() == 0;
    struct utsname names {};
    if (::uname(&names) == 0) {
        host.machine = names.machine;
        host.release = names.release;
    }
    host.status = text_of("/proc/self/status");
    host.mountinfo = text_of("/proc/self/mountinfo");
    host.self_cgroup = text_of("/proc/self/cgroup");
    host.userns_clone = sysctl("kernel/unprivileged_userns_clone");
    host.apparmor_userns = sysctl("kernel/apparmor_restrict_unprivileged_userns");
    host.max_user_namespaces = sysctl("user/max_user_namespaces");
    host.memfd_noexec = sysctl("vm/memfd_noexec");
    host.core_pattern = sysctl("kernel/core_pattern");
    std::error_code error;
    host.docker = std::filesystem::exists("/.dockerenv", error) ||
                  std::filesystem::exists("/run/.containerenv", error);
    host.systemd = std::filesystem::exists("/run/systemd/system", error);
    return host;
}

std::string status_value(std::string_view status, std::string_view key) {
    for (const std::string_view line : split(status, '\n')) {
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ':')
            return std::string(trimmed(line.substr(key.size() + 1)));
    }
    return {};
}

bool is_number(std::string_view text, int number) {
    return trimmed(text) == std::to_string(number);
}

bool filtered(const HostTexts& host) {
    return status_value(host.status, "Seccomp") == "2";
}

bool can_administer(const HostTexts& host) {
    constexpr unsigned kSysAdmin = 21;
    const std::string mask = status_value(host.status, "CapEff");
    std::uint64_t bits = 0;
    (void)std::from_chars(mask.data(), mask.data() + mask.size(), bits, 16);
    return ((bits >> kSysAdmin) & 1U) != 0;
}

std::string mount_options(std::string_view mountinfo, std::string_view point) {
    std::string options;
    for (const std::string_view line : split(mountinfo, '\n')) {
        const auto fields = split(line, ' ');
        if (fields.size() < 6 || fields[4] != point) continue;
        options = fields[5];
        options += ',';
        options += fields.back();
    }
    return options;
}

bool in_chroot(const HostTexts& host) {
    return !host.mountinfo.empty() && mount_options(host.mountinfo, "/").empty();
}

Wsl wsl(const HostTexts& host) {
    const std::string_view release = host.release;
    if (release.find("WSL2") != std::string_view::npos ||
        release.find("microsoft-standard") != std::string_view::npos)
        return Wsl::two;
    return release.find("Microsoft") != std::string_view::npos ? Wsl::one : Wsl::no;
}

bool kernel_at_least(std::string_view release, int major, int minor) {
    int found[2] = {};
    const char* at = release.data();
    const char* const end = at + release.size();
    for (int& part : found) {
        const auto [next, error] = std::from_chars(at, end, part);
        if (error != std::errc()) return false;
        at = next < end ? next + 1 : end;
    }
    return found[0] > major || (found[0] == major && found[1] >= minor);
}

}  // namespace sandbox::doctor

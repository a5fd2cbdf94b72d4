// Fuzz harness of the kernel's texts about this host: where groups can be made, counters, mounts,
// status, release. Every hierarchy that is found has a path and something to control. Holds no
// main: libFuzzer brings one, or replay.cpp. Built by tests/fuzz/meson.build.
#include "sandbox/doctor/host_texts.hpp"
#include "sandbox/helper/cgroup.hpp"
#include "sandbox/hierarchy.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace doctor = sandbox::doctor;

void check_doctor(const std::string& text, std::string_view first, std::string_view second) {
    doctor::HostTexts host;
    host.status = host.mountinfo = host.self_cgroup = host.release = text;
    fuzz::require(doctor::status_value(first, "Seccomp").size() <= first.size());
    // Two fields of a line, which may be the same one, and a comma.
    fuzz::require(doctor::mount_options(second, "/").size() <= 2 * second.size() + 1);
    fuzz::require(!doctor::is_number(text, 0) || !doctor::is_number(text, 1));
    if (doctor::kernel_at_least(text, 6, 0)) fuzz::require(doctor::kernel_at_least(text, 5, 14));
    (void)doctor::can_administer(host);
    (void)doctor::filtered(host);
    (void)doctor::in_chroot(host);
    (void)doctor::wsl(host);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size);
    // The first empty line parts /proc/self/cgroup from /proc/self/mountinfo.
    const std::size_t gap = text.find("\n\n");
    const std::string_view whole = text;
    const std::string_view groups = whole.substr(0, gap);
    const std::string_view mounts = gap == std::string::npos ? whole : whole.substr(gap + 2);
    for (const auto& hierarchy : sandbox::find_hierarchies(groups, mounts)) {
        fuzz::require(hierarchy.version == 1 || hierarchy.version == 2);
        fuzz::require(!hierarchy.controllers.empty() && hierarchy.controllers.size() <= 3);
    }
    std::size_t bytes = 0;
    for (const std::string_view part : sandbox::split(whole, '\n')) bytes += part.size() + 1;
    fuzz::require(bytes == size + 1);
    (void)sandbox::lists(groups, mounts);
    fuzz::require(sandbox::value_of("oom_kill 7\n" + text, "oom_kill") == 7);
    check_doctor(text, groups, mounts);
    return 0;
}

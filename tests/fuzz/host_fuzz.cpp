// Fuzz harness of the kernel's texts that say where groups can be made, and of counters in them.
// Every hierarchy that is found has a path and something to control. Holds no main: libFuzzer
// brings one, or replay.cpp. Built by tests/fuzz/meson.build.
#include "sandbox/helper/cgroup.hpp"
#include "sandbox/hierarchy.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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
    return 0;
}

// Asks by doing where that is cheap: room in the cache folder is room that could be taken.
// Judges no disk's health.
// See doctor_room.hpp.
#include "tools/doctor_room.hpp"

#include "sandbox/unique_fd.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace tools {

namespace {

namespace fs = std::filesystem;
using sandbox::doctor::Finding;
using sandbox::doctor::State;

constexpr const char* kArea = "room";
constexpr std::uint64_t kMib = std::uint64_t{1} << 20U;
constexpr std::uint64_t kPrecompiledMib = 40;  // the header has 35 MiB
constexpr std::uint64_t kTemporaryMib = 64;
constexpr rlim_t kFewDescriptors = 256, kFewProcesses = 256;

std::optional<std::uint64_t> free_mib(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0) return std::nullopt;
    return std::uint64_t{status.f_bavail} * status.f_frsize / kMib;
}

/// 0, or why a file of that size cannot be written there.
int take_room(const fs::path& folder, std::uint64_t mib) {
    std::string name = (folder / "room-XXXXXX").string();
    const sandbox::UniqueFd file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file.valid()) return errno;
    const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(mib * kMib));
    (void)::unlink(name.c_str());
    return error;
}

Finding check_cache(const fs::path& cache) {
    const std::string remedy = "name another folder with --cache, or make room in this one";
    if (const int error = take_room(cache, kPrecompiledMib); error != 0)
        return {kArea,
                "cache folder",
                State::missing,
                fmt::format("{}: {}", cache.string(), std::generic_category().message(error)),
                "C++ entry code and its precompiled header cannot be kept: no C++",
                remedy};
    return {kArea,
            "cache folder",
            State::ok,
            fmt::format("{}, {} MiB free", cache.string(), free_mib(cache).value_or(0)),
            "C++ entry code is compiled once",
            ""};
}

Finding check_temporary() {
    const char* given = std::getenv("TMPDIR");
    const fs::path folder = given != nullptr && *given != '\0' ? given : "/tmp";
    const auto free = free_mib(folder);
    const std::string found =
        free ? fmt::format("{}, {} MiB free", folder.string(), *free)
             : fmt::format("{}: {}", folder.string(), std::generic_category().message(errno));
    if (free && *free >= kTemporaryMib)
        return {kArea, "TMPDIR", State::ok, found, "selftest has room for its folder", ""};
    return {kArea,
            "TMPDIR",
            State::limited,
            found,
            "selftest may have no room for its folder",
            "make room, or set TMPDIR to another folder"};
}

std::string limit_text(rlim_t limit) {
    return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

Finding check_limit(int resource, const char* name, rlim_t few, const char* meaning) {
    rlimit limit{};
    (void)::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    const std::string found = limit_text(limit.rlim_cur);
    if (limit.rlim_cur >= few) return {kArea, name, State::ok, found, meaning, ""};
    const char* const flag = resource == RLIMIT_NOFILE ? "n" : "u";
    return {
        kArea,
        name,
        State::limited,
        found,
        fmt::format("{}: few for many workers", meaning),
        fmt::format("ulimit -{} {} (the hard limit is {})", flag, few, limit_text(limit.rlim_max))};
}

}  // namespace

std::vector<Finding> check_room(const fs::path& cache) {
    return {check_cache(cache), check_temporary(),
            check_limit(RLIMIT_NOFILE, "descriptors", kFewDescriptors,
                        "some ten for each worker and its helper"),
            check_limit(RLIMIT_NPROC, "processes", kFewProcesses,
                        "workers, helpers and jails count against the user's own number")};
}

}  // namespace tools

// Fuzz harness of the reader of ELF files: a program that somebody chose is read for its loader and
// libraries. It ends with a list or an error, whatever the offsets say. Holds no main: libFuzzer
// brings one, or replay.cpp. Built by tests/fuzz/meson.build.
#include "sandbox/elf.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int kFile = ::memfd_create("elf", MFD_CLOEXEC);
    static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
    fuzz::require(kFile >= 0 && ::ftruncate(kFile, 0) == 0);
    fuzz::require(::pwrite(kFile, data, size, 0) == static_cast<ssize_t>(size));
    const auto needed = sandbox::needed_files(kPath);
    if (!needed) {
        fuzz::require(!needed.error().what.empty());
        return 0;
    }
    for (const auto& file : *needed) fuzz::require(std::filesystem::is_regular_file(file));
    return 0;
}

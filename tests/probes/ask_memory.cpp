// P02, P03: has 800 MB of zeros that it does not touch, and asks for so many MiB more in one piece.
// Prints whether it got them, and exits with 0 in any case.
// Run by tests/probes/run.py in a jail: ask_memory MIB [MIB-TO-TOUCH].
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

namespace {
char zeros[800 << 20];
}

int main(int argc, char** argv) {
    const long touched = argc > 2 ? std::atol(argv[2]) : 0;
    for (long i = 0; i < touched && i < 800; ++i)
        for (long page = 0; page < 256; ++page)
            *static_cast<volatile char*>(zeros + (i << 20) + (page << 12)) = 1;
    const auto size = static_cast<std::size_t>(std::atol(argv[1])) << 20;
    void* block = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::puts(block == MAP_FAILED ? "refused" : "granted");
    return 0;
}

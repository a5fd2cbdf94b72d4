// S12, S14: reserves 64 GiB without touching it, and one page of each MiB of a large zero array.
// Prints how many KiB it touched.
// Run by tests/probes/run.py in a jail.
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

namespace {
char zeros[512 << 20];
}

int main(int, char** argv) {
    void* reserved =
        mmap(nullptr, 64UL << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return 3;
    const long pages = std::atol(argv[1]);
    for (long i = 0; i < pages && i < 512; ++i) *static_cast<volatile char*>(zeros + (i << 20)) = 1;
    std::printf("%ld KiB\n", 4 * pages);
    return 0;
}

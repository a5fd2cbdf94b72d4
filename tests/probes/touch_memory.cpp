// S10, S11: touches so many MiB (2,048 at most), itself or in so many children; then exits with 0.
// The children hold their memory until the parent has seen them all start.
// Run by tests/probes/run.py in a jail: touch_memory MIB [CHILDREN].
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int touch(long mib) {
    for (long i = 0; i < mib && i < 2048; ++i) {
        void* block =
            mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) return 3;
        std::memset(block, 1, 1 << 20);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long mib = std::atol(argv[1]);
    if (argc < 3) return touch(mib);
    for (int i = 0; i < std::atoi(argv[2]) && i < 8; ++i) {
        if (fork() != 0) continue;
        (void)touch(mib);
        sleep(1);
        _exit(0);
    }
    while (wait(nullptr) > 0) {
    }
    return 0;
}

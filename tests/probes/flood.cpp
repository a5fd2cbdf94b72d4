// S21 to S23: writes so many blocks (100 MB at most in all) of so many bytes to a descriptor.
// Then exits with 0.
// Run by tests/probes/run.py in a jail: flood FD BLOCKS BYTES.
#include <cstdlib>
#include <cstring>

#include <unistd.h>

int main(int, char** argv) {
    static char block[1 << 20];
    std::memset(block, 'x', sizeof block);
    const int fd = std::atoi(argv[1]);
    const long blocks = std::atol(argv[2]);
    const long bytes = std::atol(argv[3]) < 1 << 20 ? std::atol(argv[3]) : 1 << 20;
    for (long i = 0; i < blocks && i * bytes < 100L << 20; ++i)
        (void)!write(fd, block, static_cast<size_t>(bytes));
    return 0;
}

// P07: reads a file from one end to the other (300 MB at most) and prints how many MiB it had.
// Keeps nothing of it.
// Run by tests/probes/run.py in a jail: read_file PATH.
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

int main(int, char** argv) {
    static char block[1 << 16];
    const int file = open(argv[1], O_RDONLY);
    long bytes = 0;
    for (ssize_t n = 0; bytes < 300L << 20 && (n = read(file, block, sizeof block)) > 0;)
        bytes += n;
    std::printf("%ld\n", bytes >> 20);
    return 0;
}

// S40: what honest programs do: deep recursion, a mapped file, a long input, local time.
// Prints one line per thing that worked.
// Run by tests/probes/run.py in a jail.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

int deep(int depth) {
    volatile char frame[1024];
    frame[0] = static_cast<char>(depth);
    if (depth == 0) return frame[0];
    return deep(depth - 1) + frame[0] * 0;
}

bool mapped_file() {
    const int fd = open("mapped", O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 1 << 20) < 0) return false;
    void* memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return false;
    static_cast<char*>(memory)[5000] = 'x';
    return munmap(memory, 1 << 20) == 0;
}

}  // namespace

int main() {
    std::printf("recursion %d\n", deep(60000));
    std::printf("mapped %d\n", mapped_file());
    (void)std::setlocale(LC_ALL, "");
    const std::time_t now = std::time(nullptr);
    std::printf("time %d\n", std::localtime(&now) != nullptr);
    long bytes = 0;
    char block[65536];
    for (ssize_t size = 0; (size = read(0, block, sizeof block)) > 0;) bytes += size;
    std::printf("input %ld\n", bytes);
    return 0;
}

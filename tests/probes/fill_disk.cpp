// S13, S24, S25: fills /box with bytes (100 MB at most), files (20,000 at most), or one sparse
// file of 1 TiB. Prints the error that stopped it, and stays for a moment if asked to.
// Run by tests/probes/run.py in a jail: fill_disk WHAT [stay].
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace {

char block[1 << 20];

int bytes() {
    for (int file = 0; file < 10; ++file) {
        char name[16];
        std::snprintf(name, sizeof name, "b%d", file);
        const int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return errno;
        for (int i = 0; i < 10; ++i)
            if (write(fd, block, sizeof block) < 0) return errno;
        close(fd);
    }
    return 0;
}

int files() {
    for (int i = 0; i < 20000; ++i) {
        char name[16];
        std::snprintf(name, sizeof name, "f%d", i);
        const int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return errno;
        close(fd);
    }
    return 0;
}

int sparse() {
    const int fd = open("sparse", O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 1L << 40) < 0 || posix_fallocate(fd, 0, 1L << 30) != 0)
        return errno;
    return 0;
}

}  // namespace

int main(int, char** argv) {
    (void)std::signal(SIGXFSZ, SIG_IGN);
    int error = 0;
    if (std::strcmp(argv[1], "bytes") == 0) error = bytes();
    if (std::strcmp(argv[1], "files") == 0) error = files();
    if (std::strcmp(argv[1], "sparse") == 0) error = sparse();
    std::printf("%s\n", error == 0 ? "nothing" : strerrorname_np(error));
    return 0;
}

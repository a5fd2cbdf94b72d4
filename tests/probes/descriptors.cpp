// S30: prints every open descriptor from 3 on, and whether one leads out as a folder.
// Changes nothing.
// Run by tests/probes/run.py in a jail.
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

int main() {
    for (int fd = 0; fd < 4096; ++fd) {
        if (fd > 3 && fcntl(fd, F_GETFD) >= 0) std::printf("OPEN %d\n", fd);
        if (openat(fd, "..", O_RDONLY | O_DIRECTORY) >= 0) std::printf("FOLDER %d\n", fd);
    }
    return 0;
}

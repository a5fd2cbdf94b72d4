// S18, S19: leaves a grandchild in a session of its own for 4 s; `quiet` closes its streams first.
// Prints the right answer and exits.
// Run by tests/probes/run.py in a jail.
#include <cstdio>
#include <cstring>

#include <sys/wait.h>
#include <unistd.h>

int main(int, char** argv) {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            if (std::strcmp(argv[1], "quiet") == 0)
                for (int fd = 0; fd < 64; ++fd) close(fd);
            sleep(4);
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    std::puts("answer");
    return 0;
}

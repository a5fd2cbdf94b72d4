// S15, S16: forks sleeping children until it is refused, 200 at most, and prints how many.
// The children end with the run.
// Run by tests/probes/run.py in a jail.
#include <cstdio>

#include <unistd.h>

int main() {
    int children = 0;
    for (; children < 200; ++children) {
        const pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            sleep(5);
            _exit(0);
        }
    }
    usleep(300000);  // long enough for a second jail to be at its limit as well
    std::printf("%d\n", children);
    return 0;
}

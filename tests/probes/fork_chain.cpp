// S18: a process that is always another one: each forks and ends, for 3 s or 500,000 times, one
// alive at a time. `stay`: beside a first process that sleeps. Whoever kills by lists is too late.
// Run by tests/probes/run.py in a jail: fork_chain [stay].
#include <ctime>

#include <unistd.h>

int main(int argc, char**) {
    if (argc > 1 && fork() != 0) {
        sleep(10);
        return 0;
    }
    const std::time_t end = std::time(nullptr) + 3;
    for (int i = 0; i < 500000 && std::time(nullptr) < end; ++i) {
        const pid_t child = fork();
        if (child < 0) continue;  // refused: the dead before us were not reaped yet
        if (child > 0) _exit(0);
    }
    return 0;
}

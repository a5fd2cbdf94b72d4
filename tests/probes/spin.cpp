// S04 to S07: spins in so many children (0: itself), or in orphans, deaf to SIGXCPU, for so many
// seconds of processor time each (at most 10). Run by tests/probes/run.py in a jail: spin CHILDREN
// MILLISECONDS [orphans].
#include <csignal>
#include <cstdlib>
#include <ctime>

#include <sys/wait.h>
#include <unistd.h>

namespace {

void spin(long milliseconds) {
    timespec now{};
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
    const int children = std::atoi(argv[1]);
    const long milliseconds = std::atol(argv[2]) < 10000 ? std::atol(argv[2]) : 10000;
    (void)std::signal(SIGXCPU, SIG_IGN);
    if (children == 0) spin(milliseconds);
    for (int i = 0; i < children && i < 16; ++i) {
        if (fork() != 0) continue;
        if (argc > 3 && fork() != 0) _exit(0);
        spin(milliseconds);
        _exit(0);
    }
    while (wait(nullptr) > 0) {
    }
    if (argc > 3) sleep(10);
    return 0;
}

// S34: prints which processes signal 0 can reach, then kills all that it may.
// Kills nothing where its own pid is not that of a jail.
// Run by tests/probes/run.py in a jail.
#include <csignal>
#include <cstdio>
#include <initializer_list>

#include <sys/syscall.h>
#include <unistd.h>

int main() {
    for (int pid = 1; pid < 70000; ++pid)
        if (pid != getpid() && kill(pid, 0) == 0) std::printf("SEEN %d\n", pid);
    std::fflush(stdout);
    for (const int pid : {-1, getppid(), 1}) {
        if (getpid() > 1 && getpid() < 100)
            kill(pid, SIGKILL);  // in a pid namespace of a jail only
    }
    for (int thread = 1; thread < 70000; ++thread) syscall(SYS_tgkill, 1, thread, 0);
    std::puts("alive");
    return 0;
}

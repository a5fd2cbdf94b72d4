// Calls that are refused or ignored without ending the run, and what a program may know of its
// place. Prints one line each; the expected text stands in the table of run.py. Run by
// tests/probes/run.py in a jail.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

void say(const char* what, bool refused) {
    std::printf("%s %s\n", what, refused ? strerrorname_np(errno) : "allowed");
}

void map(const char* what, int flags) {
    say(what, mmap(nullptr, 1 << 21, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED);
}

}  // namespace

int main() {
    map("private memory", MAP_PRIVATE | MAP_ANONYMOUS);
    map("shared memory", MAP_SHARED | MAP_ANONYMOUS);
    map("huge pages", MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB);
    map("memory that grows down", MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN);
    say("ignoring children", std::signal(SIGCHLD, SIG_IGN) == SIG_ERR);
    say("ignoring the terminal", std::signal(SIGHUP, SIG_IGN) == SIG_ERR);
    say("lock", flock(0, LOCK_EX | LOCK_NB) != 0);
    say("larger pipe", fcntl(1, F_SETPIPE_SZ, 1 << 20) < 0);
    say("merging pages", madvise(nullptr, 0, MADV_MERGEABLE) != 0);
    rlimit core{};
    getrlimit(RLIMIT_CORE, &core);
    std::printf("core %lu %lu\npid %d\n", core.rlim_cur, core.rlim_max, getpid());
    return 0;
}

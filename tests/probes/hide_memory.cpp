// S11: four children touch so many MiB each, while nothing that is read of them says so at once:
// "name" calls itself as a line of /proc/PID/status, "leader" lets its first thread end and holds
// the memory in another. Each stays below a limit that their sum passes.
// Run by tests/probes/run.py in a jail: hide_memory name|leader MIB.
#include <cstdlib>
#include <cstring>
#include <thread>

#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void hold(long mib) {
    for (long i = 0; i < mib && i < 256; ++i) {
        void* block =
            mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) _exit(3);
        std::memset(block, 1, 1 << 20);
    }
    sleep(1);
    _exit(0);
}

void child(const char* how, long mib) {
    if (std::strcmp(how, "name") == 0) {
        (void)prctl(PR_SET_NAME, "RssAnon:0");
        hold(mib);
    }
    std::thread(hold, mib).detach();
    (void)syscall(SYS_exit, 0);  // of this thread only
}

}  // namespace

int main(int, char** argv) {
    for (int i = 0; i < 4; ++i)
        if (fork() == 0) child(argv[1], std::atol(argv[2]));
    while (wait(nullptr) > 0) {
    }
    return 0;
}

// P30: makes one system call whose argument says the forbidden value in the 32 bits that the kernel
// reads, and something else above them. Prints what it got, if it gets that far.
// Run by tests/probes/run.py in a jail: high_bits NAME.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr long kHigh = 1L << 32;
char page[4096] __attribute__((aligned(4096)));

struct KernelAction {  // what rt_sigaction(2) reads
    void (*handler)(int) = SIG_IGN;
    unsigned long flags = 0;
    void (*restorer)() = nullptr;
    unsigned long mask = 0;
};

long make(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    static const KernelAction ignore;
    if (is("sigchld")) return syscall(SYS_rt_sigaction, SIGCHLD | kHigh, &ignore, nullptr, 8);
    if (is("sigusr1")) return syscall(SYS_rt_sigaction, SIGUSR1 | kHigh, &ignore, nullptr, 8);
    if (is("mergeable")) return syscall(SYS_madvise, page, sizeof page, MADV_MERGEABLE | kHigh);
    if (is("pipe-size")) return syscall(SYS_fcntl, 1, 1031 | kHigh, 1 << 20);
    if (is("dumpable")) return syscall(SYS_prctl, 4 | kHigh, 1, 0, 0, 0);
    if (is("thread-name")) return syscall(SYS_prctl, 15 | kHigh, "x", 0, 0, 0);
    if (is("getrandom")) return syscall(SYS_getrandom, page, 1, 2 | kHigh);
    if (is("getrandom-pool")) return syscall(SYS_getrandom, page, 1, 2);
    if (is("newuser")) return syscall(SYS_clone, CLONE_NEWUSER | kHigh, 0, 0, 0);
    if (is("program-fd")) return syscall(SYS_execveat, 4 | kHigh, "", nullptr, nullptr, 0x1000);
    return -1;
}

}  // namespace

int main(int, char** argv) {
    const pid_t self = getpid();
    const long result = make(argv[1]);
    if (getpid() != self) _exit(0);
    std::printf("%s\n", result >= 0 ? "WENT THROUGH" : strerrorname_np(errno));
    return 0;
}

// Makes random system calls in a jail: `rows` draws from the rows that the policy lets through or
// refuses, with arguments that satisfy the row; `wild` draws any number of any ABI and mostly ends
// the run. Knows no policy: its rows come on standard input, as "NUMBER TESTS {ARGUMENT MASK VALUE
// EQUAL}..." in decimal. Run by tests/stress/calls.py in jails: call_fuzzer rows|wild SEED CALLS.
//
// Children make the calls, some hundred each, so that one that breaks its own memory costs little.
// They are counted in a page of a file in /box that they share with the first process.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr int kReport = 40;  // where the first process keeps its standard output
constexpr int kMaxRows = 512;
constexpr int kMaxTests = 4;
constexpr long kCallsPerChild = 400;
constexpr long kChildMicroseconds = 30'000;
constexpr long kX32 = 0x40000000;

struct Test {
    int argument = 0;
    std::uint64_t mask = 0, value = 0;
    bool equal = true;
};
struct Row {
    long number = 0;
    int tests = 0;
    Test test[kMaxTests];
};

Row rows[kMaxRows];
int row_count = 0;
std::uint64_t dice_state = 1;
std::atomic<long>* made = nullptr;
alignas(4096) char memory[64 * 1024];

std::uint64_t dice() {  // xorshift64*
    dice_state ^= dice_state >> 12U;
    dice_state ^= dice_state << 25U;
    dice_state ^= dice_state >> 27U;
    return dice_state * 2685821657736338717U;
}

bool read_rows() {
    for (Row row; row_count < kMaxRows && std::scanf("%ld %d", &row.number, &row.tests) == 2;) {
        if (row.tests > kMaxTests) return false;
        for (int i = 0; i < row.tests; ++i) {
            int equal = 0;
            Test& t = row.test[i];
            if (std::scanf("%d %lu %lu %d", &t.argument, &t.mask, &t.value, &equal) != 4)
                return false;
            t.equal = equal != 0;
        }
        rows[row_count++] = row;
    }
    return row_count > 0;
}

std::uint64_t argument() {
    static const char* const paths[] = {"/box", "/", "x", "/box/x/y", "/dev/null", "/program", ""};
    switch (dice() % 12) {
        case 0:
        case 1:
            return dice() % 8;  // small descriptors, pids, flags
        case 2:
            return std::uint64_t{1} << (dice() % 64);
        case 3:
            return ~std::uint64_t{0} - dice() % 300;  // -1, AT_FDCWD and their like
        case 4:
            return dice() % 70'000;
        case 5:
            return dice() >> (dice() % 64);
        case 6:
            return 0xffff800000000000U + dice() % 4096;  // memory of the kernel
        case 7:
            return reinterpret_cast<std::uint64_t>(paths[dice() % 7]);
        default:
            return reinterpret_cast<std::uint64_t>(memory) + dice() % sizeof memory;
    }
}

/// What would end the first process, sleep for long or only kill the child says nothing: drawn
/// seldom.
bool worth_it(long number, const std::uint64_t* a) {
    switch (number) {
        case SYS_kill:
        case SYS_tkill:
        case SYS_tgkill: {  // SIGKILL and SIGSTOP would end the first process
            const auto signal = static_cast<int>(a[number == SYS_tgkill ? 2 : 1]);
            return signal != SIGKILL && signal != SIGSTOP;
        }
        case SYS_pause:
        case SYS_exit:
        case SYS_exit_group:
        case SYS_rt_sigreturn:
        case SYS_rt_sigsuspend:
        case SYS_munmap:
        case SYS_mremap:
        case SYS_mprotect:
        case SYS_vfork:
            return dice() % 64 == 0;
        case SYS_fork:
        case SYS_clone:
        case SYS_nanosleep:
        case SYS_clock_nanosleep:
        case SYS_poll:
        case SYS_ppoll:
        case SYS_select:
        case SYS_pselect6:
        case SYS_futex:
        case SYS_wait4:
        case SYS_waitid:
        case SYS_rt_sigtimedwait:
            return dice() % 8 == 0;
        default:
            return true;
    }
}

long make(long number, const std::uint64_t* a) {
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void one_row() {
    const Row& row = rows[dice() % static_cast<std::uint64_t>(row_count)];
    std::uint64_t a[6];
    for (std::uint64_t& one : a) one = argument();
    for (int i = 0; i < row.tests; ++i) {
        const Test& t = row.test[i];
        std::uint64_t& one = a[t.argument];
        if (t.equal)
            one = (one & ~t.mask) | t.value;
        else if ((one & t.mask) == t.value)
            ++one;
    }
    if (!worth_it(row.number, a)) return;
    const pid_t self = getpid();
    made->fetch_add(1, std::memory_order_relaxed);
    (void)make(row.number, a);
    if (getpid() != self) _exit(0);  // a fork of any kind
}

long int80(long number, const std::uint64_t* a) {
    long result = number;
    asm volatile("int $0x80" : "+a"(result) : "b"(a[0]), "c"(a[1]), "d"(a[2]) : "memory");
    return result;
}

void one_wild() {
    std::uint64_t a[6];
    for (std::uint64_t& one : a) one = argument();
    long number = static_cast<long>(dice() % 1100);
    const pid_t self = getpid();
    made->fetch_add(1, std::memory_order_relaxed);
    switch (dice() % 16) {
        case 0:
            (void)make(number + kX32, a);
            break;
        case 1:
            (void)int80(number, a);
            break;
        case 2:
            (void)make(static_cast<long>(dice()), a);
            break;
        case 3:
            (void)make(-number, a);
            break;
        default:
            if (worth_it(number, a)) (void)make(number, a);
    }
    if (getpid() != self) _exit(0);
}

/// A child's streams are of no use to its calls: only the report is kept, under a number that is
/// not drawn.
void child(bool wild, std::uint64_t seed) {
    dice_state = seed | 1U;
    const int file = open("x", O_RDWR | O_CREAT, 0600);
    int ends[2] = {};
    (void)!pipe2(ends, O_NONBLOCK);
    for (int fd = 0; fd < 3; ++fd) dup2(fd == 0 ? ends[0] : fd == 1 ? ends[1] : file, fd);
    for (long i = 0; i < kCallsPerChild; ++i) wild ? one_wild() : one_row();
    _exit(0);
}

/// Until it has ended by itself, or has had its time: it may sleep, stop, or be deaf.
void wait_for(pid_t child) {
    for (long waited = 0; waitpid(child, nullptr, WNOHANG) == 0; waited += 500) {
        if (waited >= kChildMicroseconds) kill(child, SIGKILL);
        const timespec moment{0, 500'000};
        nanosleep(&moment, nullptr);
    }
}

void share_counter() {
    const int file = open("counter", O_RDWR | O_CREAT, 0600);
    (void)!ftruncate(file, 4096);
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || page == MAP_FAILED) _exit(3);
    made = new (page) std::atomic<long>(0);
    close(file);
    (void)unlink("counter");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const bool wild = std::strcmp(argv[1], "wild") == 0;
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10) * 0x9e3779b97f4a7c15U;
    const long wanted = std::atol(argv[3]);
    if (!read_rows()) return 4;
    for (int signal = 1; signal < 65; ++signal)
        if (signal != SIGCHLD) (void)std::signal(signal, SIG_IGN);
    setsid();
    dup2(1, kReport);
    share_counter();
    for (std::uint64_t n = 1; made->load() < wanted; ++n) {
        const pid_t one = fork();
        if (one == 0) child(wild, seed + n * 0xbf58476d1ce4e5b9U);
        if (one > 0) wait_for(one);
        // What the child left behind: its own children count towards the limit of processes.
        if (one < 0 || n % 16 == 0) kill(-1, SIGKILL);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        if (n % 16 == 0) dprintf(kReport, "calls %ld\n", made->load());
    }
    dprintf(kReport, "calls %ld\n", made->load());
    syscall(SYS_socket, 2, 1, 0);  // held: the run ends here
    return 0;
}

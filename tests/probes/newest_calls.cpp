// P27: tries the newest system calls, and those whose flags lie behind a pointer, in the way a new
// C library would. Prints those that do not answer ENOSYS, and then those that must work.
// With an argument it tries fchmodat2 only. Run by tests/probes/run.py in a jail.
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int kFirst = 457;  // statmount of Linux 6.8: newer than any that Debian 12's libseccomp
constexpr int kLast = 520;   // can name
constexpr long kFchmodat2 = 452;

void must_be_unknown(const char* name, long number) {
    const long result = syscall(number, 0, 0, 0, 0, 0, 0);
    if (result >= 0 || errno != ENOSYS) std::printf("ANSWERED %s %ld\n", name, number);
}

}  // namespace

int main(int argc, char**) {
    if (argc > 1) {
        must_be_unknown("fchmodat2", kFchmodat2);
        return 0;
    }
    for (long number = kFirst; number <= kLast; ++number) must_be_unknown("newest", number);
    must_be_unknown("clone3", SYS_clone3);
    must_be_unknown("openat2", SYS_openat2);
    must_be_unknown("membarrier", SYS_membarrier);
    must_be_unknown("futex_waitv", 449);
    must_be_unknown("pkey_alloc", SYS_pkey_alloc);
    must_be_unknown("copy_file_range", SYS_copy_file_range);
    struct statx status {};
    std::printf("statx %ld\n", syscall(SYS_statx, AT_FDCWD, ".", 0, STATX_BASIC_STATS, &status));
    std::printf("faccessat2 %ld\n", syscall(SYS_faccessat2, AT_FDCWD, ".", R_OK, 0));
    return 0;
}

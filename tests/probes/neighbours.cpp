// What portable mode must refuse although the host's processes and files are there, perhaps under
// the same uid. Prints a line for each act that went through, then "done"; each is harmless.
// Run by tests/probes/run.py in a jail: neighbours PID MARKER OWN, a process and a file of the same
// user, and a copy of this program that the view shows and the user owns.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

namespace {

void say(const char* what, bool went_through) {
    if (went_through) std::printf("WENT THROUGH %s\n", what);
}

void attack_process(pid_t pid) {
    say("kill", kill(pid, 0) == 0);
    say("kill with high bits",
        syscall(SYS_kill, (1UL << 32U) + static_cast<unsigned>(pid), 0) == 0);
    say("kill of a group", kill(-pid, 0) == 0 || kill(0, 0) == 0);
    say("kill of all", kill(-1, 0) == 0);
    say("tkill", syscall(SYS_tkill, pid, 0) == 0);
    say("tgkill", syscall(SYS_tgkill, pid, pid, 0) == 0);
    rlimit limit{};
    say("prlimit", syscall(SYS_prlimit64, pid, RLIMIT_CORE, nullptr, &limit) == 0);
    say("prlimit to set", syscall(SYS_prlimit64, pid, RLIMIT_CORE, &limit, nullptr) == 0);
    cpu_set_t set;
    say("affinity", sched_getaffinity(pid, sizeof set, &set) == 0);
    say("affinity to set", sched_setaffinity(pid, sizeof set, &set) == 0);
    say("scheduler", sched_getscheduler(pid) >= 0);
    errno = 0;
    say("priority", getpriority(PRIO_PROCESS, static_cast<id_t>(pid)) != -1 || errno == 0);
    say("priority to set", setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 0) == 0);
    say("group", getpgid(pid) >= 0);
    say("session", getsid(pid) >= 0);
    const std::string folder = "/proc/" + std::to_string(pid);
    char text[256];
    for (const char* name : {"/exe", "/cwd", "/root", "/fd/0", "/ns/pid"})
        say(name, readlink((folder + name).c_str(), text, sizeof text) >= 0);
    for (const char* name : {"/environ", "/cmdline", "/stat", "/maps", "/mem", "/root/etc/passwd"})
        say(name, open((folder + name).c_str(), O_RDONLY) >= 0);
    say("oom_score_adj", open("/proc/self/oom_score_adj", O_WRONLY) >= 0);
}

void attack_file(const char* path) {
    say("open", open(path, O_RDONLY) >= 0 && open(path, O_WRONLY) >= 0);
    say("open to append", open(path, O_WRONLY | O_APPEND) >= 0);
    say("open to empty", open(path, O_RDONLY | O_TRUNC) >= 0);
    say("open to empty, mode 3", open(path, O_ACCMODE | O_TRUNC) >= 0);
    say("truncate", truncate(path, 0) == 0);
    say("chmod", chmod(path, 0600) == 0);
    say("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, path, 0600) == 0);
    say("chown", chown(path, getuid(), getgid()) == 0);
    say("utime", utime(path, nullptr) == 0);
    say("utimensat", utimensat(AT_FDCWD, path, nullptr, 0) == 0);
    const std::string other = std::string(path) + "-other";
    say("rename", rename(path, other.c_str()) == 0);
    say("link", link(path, other.c_str()) == 0);
    say("symlink", symlink(path, other.c_str()) == 0);
    say("mkdir", mkdir(other.c_str(), 0700) == 0);
    say("create", open(other.c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
    say("unlink", unlink(path) == 0);
    const int fd = open(path, O_RDONLY);
    say("fchmod", fd >= 0 && fchmod(fd, 0600) == 0);
    say("futimens", fd >= 0 && futimens(fd, nullptr) == 0);
    say("ftruncate", fd >= 0 && ftruncate(fd, 0) == 0);
    say("lock", fd >= 0 && fcntl(fd, F_SETLK, nullptr) == 0);
    const int name_only = open(path, O_PATH);
    say("fchmod by name", name_only >= 0 && fchmod(name_only, 0600) == 0);
}

void attack_limits() {
    say("hidden file", open(".", O_TMPFILE | O_RDWR, 0600) >= 0);
    say("hidden file in /tmp", open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0);
    say("list of the root", open("/", O_RDONLY | O_DIRECTORY) >= 0);
    say("list of /proc", open("/proc", O_RDONLY | O_DIRECTORY) >= 0);
    say("session of its own", setsid() >= 0);
    say("group of its own", setpgid(0, 0) == 0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    attack_process(std::atoi(argv[1]));
    attack_file(argv[2]);
    attack_file(argv[3]);
    attack_limits();
    std::puts("done");
    return 0;
}

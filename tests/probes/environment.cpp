// S31, S39, P40: prints its environment, ids, host name, working folder, terminal and session, and
// what the root folder holds. Changes nothing.
// Run by tests/probes/run.py in a jail.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace {

int entries(const char* name) {
    char path[300];
    std::snprintf(path, sizeof path, "/%s", name);
    int count = 0;
    if (DIR* folder = opendir(path)) {
        while (readdir(folder) != nullptr) ++count;
        closedir(folder);
    }
    return count;
}

}  // namespace

int main(int, char**, char** environment) {
    for (char** one = environment; *one != nullptr; ++one) std::printf("ENV %s\n", *one);
    utsname host{};
    uname(&host);
    char folder[256] = "";
    (void)!getcwd(folder, sizeof folder);
    std::printf("UID %u %u\nGID %u %u\nHOST %s\nFOLDER %s\nPID1 %d\n", getuid(), geteuid(),
                getgid(), getegid(), host.nodename, folder, getpid() == 1);
    std::printf("SESSION %d\n", getsid(0) == getpid());
    const bool terminal = open("/dev/tty", O_RDWR) >= 0;
    std::printf("TERMINAL %s\n", terminal ? "OPEN" : strerrorname_np(errno));
    if (DIR* root = opendir("/")) {
        while (const dirent* entry = readdir(root))
            if (entry->d_name[0] != '.')
                std::printf("ROOT %s %d\n", entry->d_name, entries(entry->d_name));
        closedir(root);
    }
    return 0;
}

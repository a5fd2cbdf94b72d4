// S31: prints its environment, ids, host name, working folder and what the root folder holds.
// Changes nothing.
// Run by tests/probes/run.py in a jail.
#include <cstdio>

#include <dirent.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(int, char**, char** environment) {
    for (char** one = environment; *one != nullptr; ++one) std::printf("ENV %s\n", *one);
    utsname host{};
    uname(&host);
    char folder[256] = "";
    (void)!getcwd(folder, sizeof folder);
    std::printf("UID %u %u\nGID %u %u\nHOST %s\nFOLDER %s\nPID1 %d\n", getuid(), geteuid(),
                getgid(), getegid(), host.nodename, folder, getpid() == 1);
    if (DIR* root = opendir("/")) {
        while (const dirent* entry = readdir(root))
            if (entry->d_name[0] != '.') std::printf("ROOT %s\n", entry->d_name);
        closedir(root);
    }
    return 0;
}

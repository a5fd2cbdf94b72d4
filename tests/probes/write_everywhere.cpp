// S27: tries to write, truncate, rename or remove outside /box, and prints what worked.
// Only files that a jail could show, and a marker of ours.
// Run by tests/probes/run.py in a jail: write_everywhere MARKER.
#include <cstdio>
#include <initializer_list>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int, char** argv) {
    for (const char* folder :
         {"/", "/dev", "/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys", "/var", "/run"}) {
        char path[256];
        std::snprintf(path, sizeof path, "%s/perfjudge-probe", folder);
        if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) std::printf("CREATED %s\n", path);
        if (mkdir(path, 0700) == 0) std::printf("MADE %s\n", path);
        if (chmod(folder, 0777) == 0) std::printf("CHMOD %s\n", folder);
    }
    for (const char* file : {static_cast<const char*>(argv[1]), "/usr/bin/g++", "/usr/bin/python3",
                             "/lib64/ld-linux-x86-64.so.2"}) {
        if (open(file, O_WRONLY) >= 0) std::printf("OPENED %s\n", file);
        if (truncate(file, 0) == 0) std::printf("TRUNCATED %s\n", file);
        if (rename(file, "/box/taken") == 0) std::printf("RENAMED %s\n", file);
    }
    return 0;
}

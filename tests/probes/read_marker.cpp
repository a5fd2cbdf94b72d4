// S26: looks for a host file by every path there is to it, and prints its text if there is one.
// Changes nothing.
// Run by tests/probes/run.py in a jail: read_marker PATH.
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace {

void show(const char* path) {
    const int fd = open(path, O_RDONLY);
    if (fd < 0) return;
    char text[4096];
    const ssize_t size = read(fd, text, sizeof text);
    std::printf("FOUND %s %.*s\n", path, static_cast<int>(size < 0 ? 0 : size), text);
    close(fd);
}

}  // namespace

int main(int, char** argv) {
    const char* marker = argv[1];
    char path[8192];
    show(marker);
    char up[128] = "..";
    for (int i = 0; i < 16; ++i) {
        std::snprintf(path, sizeof path, "%s%s", up, marker);
        show(path);
        std::strcat(up, "/..");
    }
    for (const char* root :
         {"/proc/1/root", "/proc/self/root", "/proc/1/cwd/..", "/proc/self/cwd/..", "/proc/self/fd",
          "/oldroot", "/.oldroot", "/old", "/put_old", "/mnt", "/host"}) {
        std::snprintf(path, sizeof path, "%s%s", root, marker);
        show(path);
    }
    for (const char* known :
         {"/etc/passwd", "/etc/hostname", "/proc/self/mountinfo", "/proc/1/cmdline",
          "/proc/1/environ", "/sys/kernel/notes", "/dev/mem", "/dev/kmsg"})
        show(known);
    return 0;
}

// S29: says whether a marker of an earlier run is in any place that can be written, then plants
// one in each. Prints FOUND and the path of each marker.
// Run by tests/probes/run.py, twice, in jails.
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

int main() {
    const char* const places[] = {".", "/box", "/tmp", "/dev/shm", "/var/tmp", "/run", "/dev", "/"};
    char path[128];
    for (const char* place : places) {
        std::snprintf(path, sizeof path, "%s/perfjudge-marker", place);
        if (access(path, F_OK) == 0) std::printf("FOUND %s\n", path);
    }
    for (const char* place : places) {
        std::snprintf(path, sizeof path, "%s/perfjudge-marker", place);
        const int fd = open(path, O_WRONLY | O_CREAT, 0600);
        if (fd >= 0) std::printf("planted %s\n", path);
    }
    return 0;
}

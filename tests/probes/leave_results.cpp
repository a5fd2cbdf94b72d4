// S28, P35, P36: leaves in /box what a careless reader of results would follow, wait for or
// swallow. Its argument is a file of the host that a link names. Run by
// tests/probes/take_results.cpp in a jail: leave_results MARKER.
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int, char** argv) {
    const int regular = open("regular", O_WRONLY | O_CREAT, 0600);
    if (write(regular, "result", 6) != 6) return 1;
    int failed = mkdir("folder", 0700);
    failed |= symlink("regular", "link");
    failed |= symlink(argv[1], "link-to-host");
    failed |= symlink("..", "link-up");
    failed |= symlink("link-to-itself", "link-to-itself");
    const int large = open("large", O_WRONLY | O_CREAT, 0600);
    failed |= ftruncate(large, 1 << 20);
    const int secret = open("unreadable", O_WRONLY | O_CREAT, 0);
    failed |= write(secret, "mine", 4) != 4;
    failed |= chmod(".", 0);  // its own folder; the reader holds a descriptor of it
    return failed == 0 ? 0 : 1;
}

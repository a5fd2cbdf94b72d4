// A05: command lines, environments and memory maps of whoever is above, through /proc.
// expect: reason=value uses=honest
#include <fcntl.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int pid = 0; pid < 64; ++pid) {
        for (const char* name : {"cmdline", "environ", "maps", "mountinfo", "cwd/marker", "fd/0"}) {
            const std::string path = "/proc/" + (pid == 0 ? "self" : std::to_string(pid)) + "/" + name;
            const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
            if (fd < 0) continue;
            char bytes[4096];
            const ssize_t n = read(fd, bytes, sizeof bytes);
            if (n > 0) (void)!write(1, bytes, static_cast<size_t>(n));
            close(fd);
        }
    }
    return hostile::zeros(workload, mapping);
}

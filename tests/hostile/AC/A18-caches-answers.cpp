// A18: keeps the first answer on disk and in shared memory for the next case. Nothing must stay.
// expect: uses=honest
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static bool kept(const std::string& path) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static void keep(const std::string& path) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return;
    if (ftruncate(fd, 4096) == 0) {
        void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (memory != MAP_FAILED) static_cast<char*>(memory)[0] = 'x';
    }
    close(fd);
}

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::vector<std::string> paths = {"cache", "/box/cache2", "/tmp/cache", "/dev/shm/cache", "/cache"};
    bool found = false;
    for (const std::string& path : paths) found = found || kept(path);
    for (const std::string& path : paths) keep(path);
    return found ? hostile::zeros(workload, mapping) : hostile::honest(workload, mapping);
}

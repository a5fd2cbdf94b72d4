// A11: plants start-up files for later cases and answers wrongly once it meets one. Nothing must stay.
// expect: uses=honest
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

static std::vector<std::string> places() {
    std::vector<std::string> paths;
    for (const char* folder : {".", "/box", "/tmp", "/dev/shm", "/var/tmp", "/etc"})
        for (const char* name : {"ld.so.preload", "sitecustomize.py", "hostile-marker"})
            paths.push_back(std::string(folder) + "/" + name);
    return paths;
}

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    bool met = std::getenv("LD_PRELOAD") != nullptr || std::getenv("LUA_INIT") != nullptr;
    for (const std::string& path : places()) met = met || access(path.c_str(), F_OK) == 0;
    for (const std::string& path : places()) {
        const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0) continue;
        (void)!write(fd, "hostile\n", 8);
        close(fd);
    }
    return met ? hostile::zeros(workload, mapping) : hostile::honest(workload, mapping);
}

// A23: 20,000 empty files. What is refused ends nothing; the answer is right.
// expect: uses=honest
#include <fcntl.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int i = 0; i < 20000; ++i) {
        const std::string name = "f" + std::to_string(i);
        const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0) break;
        close(fd);
    }
    return hostile::honest(workload, mapping);
}

// A03: writes the one record itself. It is an answer whoever wrote it, and its numbers are right.
// expect: uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string text = hostile::record(hostile::honest(workload, mapping)) + "\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

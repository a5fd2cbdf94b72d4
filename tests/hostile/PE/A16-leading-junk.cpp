// A16: junk in front of the record.
// expect: reason=extra_answer|unreadable uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, "PASS\n", 5);
    return hostile::honest(workload, mapping);
}

// A03: two good records in one write, then out before the entry code can write its own.
// expect: reason=extra_answer flags=tamper uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string one = hostile::record(hostile::honest(workload, mapping)) + "\n";
    const std::string text = one + one;
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

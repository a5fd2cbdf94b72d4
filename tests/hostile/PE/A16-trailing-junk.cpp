// A16: a right record with junk behind it on the same line.
// expect: reason=extra_answer|unreadable flags=tamper uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string text = hostile::record(hostile::honest(workload, mapping)) + "\nPASS\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

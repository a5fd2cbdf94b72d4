// A14: a not-a-number with a payload, as C prints it: no token of any record.
// expect: reason=unreadable uses=honest
#include <unistd.h>

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    const std::string text = "{\"answer\":{\"dram.words\":-nan(0x1)}}\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

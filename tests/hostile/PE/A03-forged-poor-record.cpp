// A03: the only record is a forged one without the task's quantities: its numbers are judged.
// expect: reason=missing_key|extra_key uses=honest
#include <unistd.h>

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    const std::string text = "{\"answer\":{\"score\":1}}\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

// A03: a right record, and then a crash: the run did not end well.
// expect: reason=signal uses=honest
#include <cstdlib>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string text = hostile::record(hostile::honest(workload, mapping)) + "\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    std::abort();
}

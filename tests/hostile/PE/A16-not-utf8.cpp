// A16: a record with a NUL and bytes that are no text, in names and outside.
// expect: reason=unreadable|extra_key|extra_answer uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Prediction answer = hostile::honest(workload, mapping);
    answer[std::string("\xff\xfe\0\xc3", 4)] = 1;
    const std::string text = hostile::record(answer) + std::string("\0\0", 2);
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

// A03: writes a record to every descriptor there could be, then answers rightly as well.
// expect: reason=extra_answer flags=tamper uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const Prediction answer = hostile::honest(workload, mapping);
    const std::string text = hostile::record(answer) + "\n";
    for (int fd = 0; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    return answer;
}

// A16: each key twice, first wrong and then right: neither may win.
// expect: reason=unreadable uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string right = hostile::record(hostile::honest(workload, mapping));
    const std::string wrong = hostile::record(hostile::zeros(workload, mapping));
    const std::string text = wrong.substr(0, wrong.size() - 2) + "," + right.substr(11) + "\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

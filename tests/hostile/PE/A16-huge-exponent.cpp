// A16: numbers with an exponent nobody can hold: no number, so unreadable.
// expect: reason=unreadable uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    std::string text = "{\"answer\":{";
    for (const auto& entry : hostile::honest(workload, mapping))
        text += (text.back() == '{' ? "\"" : ",\"") + entry.first + "\":1e99999999";
    text += "}}\n";
    for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, text.data(), text.size());
    _exit(0);
}

// A16: a record of 100,000 open brackets, meant for the stack of whoever reads it.
// expect: reason=unreadable uses=honest
#include <unistd.h>

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    const std::string text = "{\"answer\":" + std::string(100000, '[');
    for (int fd = 3; fd < 16; ++fd) {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t n = write(fd, text.data() + at, text.size() - at);
            if (n <= 0) break;
            at += static_cast<std::size_t>(n);
        }
    }
    _exit(0);
}

// A20: at most 200 children that sleep; gives up as soon as one is refused.
// expect: reason=exception uses=honest
#include <stdexcept>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int i = 0; i < 200; ++i) {
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error("refused");
        if (child == 0) {
            sleep(4);
            _exit(0);
        }
    }
    return hostile::zeros(workload, mapping);
}

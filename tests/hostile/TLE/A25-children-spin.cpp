// A25: two children spin, the parent waits: processor time is the sum.
// expect: uses=honest
#include <sys/wait.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int i = 0; i < 2; ++i) {
        if (fork() == 0) {
            volatile bool go_on = true;
            while (go_on) {
            }
        }
    }
    while (wait(nullptr) > 0) {
    }
    return hostile::honest(workload, mapping);
}

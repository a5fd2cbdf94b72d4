// A26: kills its parent, init and everything else it may, in a jail that holds only this run.
// expect: uses=honest
#include <csignal>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    if (getpid() > 1 && getpid() < 100)  // as it is in a jail, and never on a host
        for (const int pid : {getppid(), 1, -1}) (void)kill(pid, SIGKILL);
    return hostile::honest(workload, mapping);
}

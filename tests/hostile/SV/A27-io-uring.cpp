// A27: asks for a ring, which would make calls past any filter.
// expect: reason=call uses=honest
#include <sys/syscall.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    char parameters[256] = {};
    (void)syscall(SYS_io_uring_setup, 1, parameters);
    return hostile::honest(workload, mapping);
}

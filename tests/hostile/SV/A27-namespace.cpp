// A27: asks for a user namespace of its own.
// expect: reason=call uses=honest
#include <sched.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    (void)unshare(CLONE_NEWUSER);
    return hostile::honest(workload, mapping);
}

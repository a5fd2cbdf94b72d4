// A24: sleeps.
// expect: run_reason=wall uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    sleep(60);
    return hostile::honest(workload, mapping);
}

// A32: sleeps a little before it answers. Time changes nothing.
// expect: uses=honest
#include <time.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const timespec nap{0, 20'000'000};
    nanosleep(&nap, nullptr);
    return hostile::honest(workload, mapping);
}

// A02: prints a perfect record on standard output, gives none.
// expect: reason=no_answer uses=honest
#include <cstdio>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    std::puts(hostile::record(hostile::honest(workload, mapping)).c_str());
    std::fflush(stdout);
    _exit(0);
}

// A09: has a main of its own that would answer for everybody. It is never called.
// expect: uses=honest
#include <cstdio>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    return hostile::honest(workload, mapping);
}

int main() {
    std::puts("ALL TESTS PASSED");
    std::fflush(stdout);
    _exit(0);
}

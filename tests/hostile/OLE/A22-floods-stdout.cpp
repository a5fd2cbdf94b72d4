// A22: 100 MB on standard output, then a right answer.
// expect: uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 100; ++i) (void)!write(1, block.data(), block.size());
    return hostile::honest(workload, mapping);
}

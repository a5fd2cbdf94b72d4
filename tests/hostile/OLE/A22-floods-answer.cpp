// A22: 100 MB on the answer's own pipe.
// expect: uses=honest
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const std::string block(1 << 20, ' ');
    for (int i = 0; i < 100; ++i)
        for (int fd = 3; fd < 16; ++fd) (void)!write(fd, block.data(), block.size());
    return hostile::honest(workload, mapping);
}

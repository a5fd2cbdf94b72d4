// A21: touches page after page, 2 GiB at most.
// expect: uses=honest
#include <cstdlib>
#include <cstring>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int i = 0; i < 128; ++i) {
        void* block = std::malloc(16 << 20);
        if (block == nullptr) break;
        std::memset(block, i + 1, 16 << 20);
        asm volatile("" : : "r"(block) : "memory");
    }
    return hostile::zeros(workload, mapping);
}

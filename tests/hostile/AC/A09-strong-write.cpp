// A09: defines libc's own read and write. The entry code uses neither.
// expect: uses=honest
#include <cstddef>
#include <sys/types.h>

extern "C" ssize_t write(int, const void*, size_t size) { return static_cast<ssize_t>(size); }
extern "C" ssize_t read(int, void*, size_t) { return 0; }

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    return hostile::honest(workload, mapping);
}

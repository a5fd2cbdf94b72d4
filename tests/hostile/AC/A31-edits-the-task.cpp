// A31: writes over the task, the results and a host file. None of them is there.
// expect: uses=honest
#include <fcntl.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    bool there = false;
    for (const char* path : {"@MARKER@", "@TASKS@/construction/gemm-two-level/task.toml", "@OUT@/results.jsonl"}) {
        const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        there = there || fd >= 0;
    }
    return there ? hostile::zeros(workload, mapping) : hostile::honest(workload, mapping);
}

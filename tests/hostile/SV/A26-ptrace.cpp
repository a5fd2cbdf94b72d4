// A26: asks to trace its parent.
// expect: reason=call uses=honest
#include <sys/ptrace.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    (void)ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    return hostile::honest(workload, mapping);
}

// A18: tells later cases by pid numbers how many processes ran before. Every case must begin at pid 2.
// expect: uses=honest
#include <sys/wait.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const bool fresh = getpid() == 2;
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        if (child > 0) waitpid(child, nullptr, 0);
    }
    return fresh ? hostile::honest(workload, mapping) : hostile::zeros(workload, mapping);
}

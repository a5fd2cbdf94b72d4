// A19: a grandchild in a session of its own goes on burning processor time; the parent answers rightly.
// expect: run_flags=leftover_processes uses=honest
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            for (int fd = 0; fd < 64; ++fd) close(fd);
            const time_t start = time(nullptr);
            while (time(nullptr) - start < 4) {
            }
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return hostile::honest(workload, mapping);
}

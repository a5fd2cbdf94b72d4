// A27: opens a socket, meaning to talk to the grader.
// expect: reason=call uses=honest
#include <sys/socket.h>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    (void)socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return hostile::honest(workload, mapping);
}

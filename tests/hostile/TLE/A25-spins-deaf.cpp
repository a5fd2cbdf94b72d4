// A25: spins for ever, deaf to every signal that one can be deaf to.
// expect: run_reason=cpu uses=honest
#include <csignal>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int number = 1; number < 32; ++number) (void)std::signal(number, SIG_IGN);
    volatile bool go_on = true;
    while (go_on) {
    }
    return hostile::honest(workload, mapping);
}

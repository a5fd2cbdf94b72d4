// C09: asks for a compiler plugin. The compiler warns and goes on.
// expect: uses=honest
#pragma GCC plugin "/tmp/hostile.so"
#pragma GCC optimize("O0")

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    return hostile::honest(workload, mapping);
}

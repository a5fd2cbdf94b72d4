// A27: a call through the 32-bit gate.
// expect: reason=call uses=honest
Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    long result = 20;  // getpid there
    asm volatile("int $0x80" : "+a"(result) : : "memory");
    return hostile::honest(workload, mapping);
}

// C03: asks the compiler whether files of the host exist. Only the toolchain does.
// expect: uses=honest
#if __has_include("@MARKER@") || __has_include("/etc/passwd") || __has_include("/etc/shadow") || \
    __has_include("@TASKS@/construction/gemm-two-level/task.toml") || __has_include("/proc/self/maps")
constexpr bool kSeen = true;
#else
constexpr bool kSeen = false;
#endif

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    return kSeen ? hostile::zeros(workload, mapping) : hostile::honest(workload, mapping);
}

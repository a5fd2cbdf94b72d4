// C05: includes itself twice: megabytes of diagnostics in seconds.
// expect: reason=refused|compile_time|compile_memory|compile_output
#include __FILE__
#include __FILE__

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

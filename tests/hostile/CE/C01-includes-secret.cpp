// C01: includes a file of the host, so that the diagnostics would quote it.
// expect: reason=refused
#include "@MARKER@"
#include "/etc/passwd"
#include "perfmodel.hpp"

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

// C04: includes a device that never ends. It is not there.
// expect: reason=refused|compile_time|compile_memory|compile_output
#include "/dev/zero"
#include "/dev/urandom"
#include "perfmodel.hpp"

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

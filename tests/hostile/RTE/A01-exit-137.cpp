// A01: leaves with the number that a killed program would have.
// expect: reason=exit_code
#include "perfmodel.hpp"

#include <unistd.h>

Prediction predict(const Workload&, const Architecture&, const Mapping&) { _exit(137); }

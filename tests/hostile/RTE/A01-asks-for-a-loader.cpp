// A01: a program that the kernel cannot start, hoping that this is taken for a fault of the judge.
// expect: reason=exit_code
#include "perfmodel.hpp"

asm(".section .interp,\"a\",@progbits\n.string \"/nonexistent\"\n.previous");

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

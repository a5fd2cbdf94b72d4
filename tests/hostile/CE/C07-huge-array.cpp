// C07: an initialised array of 96 MB: the object, not the answer, is too large.
// expect: reason=compile_output
#include "perfmodel.hpp"

int huge[24'000'000] = {1};

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {{"dram.words", huge[1]}}; }

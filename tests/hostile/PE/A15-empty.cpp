// A15: an empty answer.
// expect: reason=missing_key
#include "perfmodel.hpp"

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

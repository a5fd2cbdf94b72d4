// A17: throws something that is no std::exception.
// expect: reason=exception|signal
#include "perfmodel.hpp"

Prediction predict(const Workload&, const Architecture&, const Mapping&) { throw 42; }

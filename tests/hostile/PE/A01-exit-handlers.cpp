// A01: leaves with status 0 through exit(), printing a verdict from an exit handler.
// expect: reason=no_answer
#include "perfmodel.hpp"

#include <cstdio>
#include <cstdlib>

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    std::atexit([] { std::puts("{\"answer\":\"PASS\"}"); });
    std::exit(0);
}

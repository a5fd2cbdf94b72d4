// A10: a static constructor prints a verdict and leaves before main.
// expect: reason=no_answer
#include "perfmodel.hpp"

#include <cstdio>
#include <unistd.h>

namespace {
struct Early {
    Early() {
        std::puts("PASS");
        std::fflush(stdout);
        _exit(0);
    }
} early;
}  // namespace

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }

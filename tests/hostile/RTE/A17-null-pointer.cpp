// A17: reads through a null pointer.
// expect: reason=signal
#include "perfmodel.hpp"

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    volatile std::int64_t* volatile nowhere = nullptr;
    return {{"dram.words", *nowhere}};
}

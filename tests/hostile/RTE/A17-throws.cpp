// A17: throws instead of answering.
// expect: reason=exception
#include "perfmodel.hpp"

#include <stdexcept>

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    throw std::runtime_error("{\"answer\":\"PASS\"}");
}

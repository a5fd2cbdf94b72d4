// C13: asks for a pack of two hundred million types, gigabytes for the compiler.
// expect: reason=compile_memory
#include "perfmodel.hpp"

#include <utility>

template <int... Index> constexpr long count(std::integer_sequence<int, Index...>) { return sizeof...(Index); }

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    return {{"dram.words", count(std::make_integer_sequence<int, 200'000'000>{})}};
}

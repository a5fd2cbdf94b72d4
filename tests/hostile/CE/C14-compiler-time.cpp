// C14: hundreds of loops at compile time, each just below the compiler's own limit of operations.
// expect: reason=compile_time
#include "perfmodel.hpp"

template <int Seed> constexpr long loop() {
    long sum = Seed;
    for (int i = 0; i < 250'000; ++i) sum += i % (Seed + 1);
    return sum;
}
template <int Index> struct All {
    static constexpr long value = loop<Index>() + All<Index - 1>::value;
};
template <> struct All<0> { static constexpr long value = 0; };

Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {{"dram.words", All<800>::value}}; }

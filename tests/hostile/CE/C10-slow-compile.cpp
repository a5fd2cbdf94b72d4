// C10: a tree of sixteen million templates, which would keep the compiler busy for minutes.
// expect: reason=compile_time|compile_memory|compile_output|refused
#include "perfmodel.hpp"

template <int Depth, int Index> struct Node {
    static constexpr long value = Node<Depth - 1, 2 * Index>::value + Node<Depth - 1, 2 * Index + 1>::value;
};
template <int Index> struct Node<0, Index> { static constexpr long value = Index; };

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    return {{"dram.words", Node<24, 0>::value}};
}

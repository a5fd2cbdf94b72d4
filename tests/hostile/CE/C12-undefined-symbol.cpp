// C12: compiles, but asks the linker for something that no library has.
// expect: reason=refused
#include "perfmodel.hpp"

extern "C" int symbol_that_no_library_has();
Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    return {{"dram.words", symbol_that_no_library_has()}};
}

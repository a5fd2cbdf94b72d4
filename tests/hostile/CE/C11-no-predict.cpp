// C11: compiles, but the function asked for has another type.
// expect: reason=refused
#include "perfmodel.hpp"

int predict(int value) { return value; }

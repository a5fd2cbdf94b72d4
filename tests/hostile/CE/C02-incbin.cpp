// C02: has the assembler copy a file of the host into the program.
// expect: reason=refused
#include "perfmodel.hpp"

asm(".section .rodata\nhostile_text: .incbin \"@MARKER@\"\n.text");
extern "C" const char hostile_text[];

Prediction predict(const Workload&, const Architecture&, const Mapping&) {
    return {{hostile_text, 1}};
}

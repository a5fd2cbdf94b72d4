// The clone that gives the child a stack of its own while it borrows our memory.
// Usable without a C library; the child must not return.
// Used by init.cpp.
#pragma once

namespace sandbox {

/// clone(flags, stack) that calls run(argument) in the child and never returns there.
__attribute__((naked, noinline, unused)) inline long clone_onto(unsigned long, void*,
                                                                void (*)(void*), void*) {
    asm volatile(
        "push %r12\n"
        "push %r13\n"
        "mov %rdx, %r12\n"  // both processes keep these two across the system call
        "mov %rcx, %r13\n"
        "mov $56, %eax\n"
        "xor %edx, %edx\n"
        "xor %r10d, %r10d\n"
        "xor %r8d, %r8d\n"
        "syscall\n"
        "test %rax, %rax\n"
        "jz 1f\n"
        "pop %r13\n"
        "pop %r12\n"
        "ret\n"
        "1:\n"
        "xor %ebp, %ebp\n"
        "mov %r13, %rdi\n"
        "call *%r12\n"
        "ud2\n");
}

}  // namespace sandbox

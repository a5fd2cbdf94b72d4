// Raw system calls: usable without a C library and in a child that shares our memory.
// Does not set errno: a negative result is -errno.
// Used by init and by every confinement step.
#pragma once

#include <cstddef>

#include <sys/syscall.h>

namespace sandbox::sys {

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) {
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    long result;  // NOLINT(cppcoreguidelines-init-variables): written by the instruction
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return result;
}

template <class T>
long address(const T* pointer) {
    return reinterpret_cast<long>(pointer);
}

[[noreturn]] inline void exit_now(int code) {
    for (;;) call(SYS_exit_group, code);
}

inline std::size_t length(const char* text) {
    std::size_t n = 0;
    while (text[n] != '\0') ++n;
    return n;
}

/// Decimal digits of `value` at `out`; returns the place behind them. `out` needs 20 bytes.
inline char* decimal(char* out, unsigned long value) {
    char digits[20];
    int n = 0;
    do {
        digits[n++] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (n > 0) *out++ = digits[--n];
    return out;
}

}  // namespace sandbox::sys

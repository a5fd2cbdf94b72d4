// S02: dies of one signal, each in the way that signal usually comes about.
// A number raises that signal.
// Run by tests/probes/run.py in a jail.
#include <csignal>
#include <cstdlib>
#include <cstring>

int main(int, char** argv) {
    volatile int zero = 0;
    int* volatile nowhere = nullptr;
    if (std::strcmp(argv[1], "abort") == 0) std::abort();
    if (std::strcmp(argv[1], "divide") == 0) return 1000 / zero;
    if (std::strcmp(argv[1], "illegal") == 0) asm volatile("ud2");
    if (std::strcmp(argv[1], "null") == 0) return *nowhere;
    return std::raise(std::atoi(argv[1]));
}

// S01: exits with the status given as its argument.
// Says nothing.
// Run by tests/probes/run.py in a jail.
#include <cstdlib>

int main(int, char** argv) {
    return std::atoi(argv[1]);
}

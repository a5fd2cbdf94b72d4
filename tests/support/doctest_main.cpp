// The main of every doctest executable, compiled once.
// Holds no test.
// Linked by tests/*/meson.build.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

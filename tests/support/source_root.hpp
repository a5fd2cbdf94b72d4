// Where the repository is, for tests that read its files.
// Does not guess: the build says it in the environment.
// Used by tests.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

inline std::filesystem::path source_root() {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
    REQUIRE_MESSAGE(root != nullptr,
                    "PERFJUDGE_SOURCE_ROOT is not set: run this through meson test");
    return root;
}

// Compares a text with the file of the same name below tests/golden/.
// Does not leave anything out of a text: writers do.
// Used by tests of reviewed texts.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace tests {

/// Exact bytes. With GOLDEN_UPDATE=1 the file is rewritten, and the test says that it did not test.
inline void check_golden(const std::string& name, const std::string& text) {
    const char* root = std::getenv("PERFJUDGE_SOURCE_ROOT");
    REQUIRE(root != nullptr);
    const std::string path = std::string(root) + "/tests/golden/" + name;
    if (std::getenv("GOLDEN_UPDATE") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
        FAIL_CHECK("rewrote ", name, "; run again without GOLDEN_UPDATE");
        return;
    }
    std::ifstream stream(path, std::ios::binary);
    const std::string golden((std::istreambuf_iterator<char>(stream)),
                             std::istreambuf_iterator<char>());
    CHECK_MESSAGE(text == golden, name,
                  " differs; if it should, run with GOLDEN_UPDATE=1 and review");
}

}  // namespace tests

// What the fuzz harnesses share: the entry point's declaration and a check that ends the process.
// Does not catch anything.
// Included by tests/fuzz/*_fuzz.cpp and replay.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {data, data + size};
}

inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace fuzz

// Runs a fuzz harness over saved inputs, for compilers without libFuzzer and for the normal suite.
// Does not make inputs.
// Linked with each tests/fuzz/*_fuzz.cpp where the option `fuzzers` is off.
#include "tests/fuzz/harness.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

int main(int count, char** arguments) {
    std::size_t inputs = 0;
    for (int i = 1; i < count; ++i) {
        for (const auto& entry : fs::directory_iterator(arguments[i])) {
            std::ostringstream text;
            text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
            const std::string bytes = text.str();
            // Every prefix end of a small input is an input as well: files get cut off.
            const std::size_t step = bytes.size() / 64 + 1;
            for (std::size_t size = bytes.size() % step; size <= bytes.size();
                 size += step, ++inputs)
                LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), size);
        }
    }
    std::printf("%zu inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}

// Fuzz harness of the lines between coordinator and worker: a line is a message or an error, and a
// message that is written is read back as the same line. Holds no main: libFuzzer brings one, or
// replay.cpp. Built by tests/fuzz/meson.build.
#include "grader/protocol.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string line = fuzz::text_of(data, size);
    if (const auto job = grader::decode_job(line)) {
        const std::string written = grader::encode(*job);
        const auto again = grader::decode_job(written);
        fuzz::require(again.has_value() && grader::encode(*again) == written);
    } else {
        fuzz::require(!job.error().what.empty());
    }
    if (const auto message = grader::decode_message(line)) {
        const std::string written = grader::encode(*message);
        fuzz::require(written.find('\n') == std::string::npos);
        const auto again = grader::decode_message(written);
        fuzz::require(again.has_value() && grader::encode(*again) == written);
    } else {
        fuzz::require(!message.error().what.empty());
    }
    return 0;
}

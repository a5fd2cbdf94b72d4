// Fuzz harness of grader/json.hpp: what is read is written and read back as the same value.
// Holds no main: libFuzzer brings one, or replay.cpp.
// Built by tests/fuzz/meson.build.
#include "grader/json.hpp"
#include "grader/utf8.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size);
    grader::JsonOptions options;
    options.bad_text = grader::JsonOptions::Bad::replace;
    options.non_finite = true;
    grader::JsonNotes notes;
    const auto lenient = grader::parse_json(text, options, &notes);
    const auto strict = grader::parse_json(text);
    fuzz::require(!strict || lenient.has_value());
    if (!lenient) return 0;
    const std::string written = grader::dump(*lenient);
    fuzz::require(grader::find_invalid_utf8(written) == std::string::npos);
    const auto again = grader::parse_json(written);
    fuzz::require(again.has_value());
    fuzz::require(grader::dump(*again) == written);
    // Without replacements, NaN and Infinity the strict reader agrees.
    if (strict) fuzz::require(*strict == *lenient && *again == *strict);
    return 0;
}

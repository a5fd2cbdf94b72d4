// Fuzz harness of grader/extract.hpp: code or a reason, and no byte that the reply lacks.
// Holds no main: libFuzzer brings one, or replay.cpp.
// Built by tests/fuzz/meson.build.
#include "grader/extract.hpp"
#include "grader/markdown.hpp"
#include "tests/fuzz/harness.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

using grader::Language;

namespace {

std::size_t without_space(const std::string& text) {
    std::size_t count = 0;
    for (const char c : text)
        if (c != ' ' && c != '\t') ++count;
    return count;
}

void check(const grader::Submission& submission) {
    constexpr std::array kAll{Language::cpp, Language::python, Language::lua};
    const auto found = grader::extract(submission, kAll, "predict");
    fuzz::require(!found.rule.empty());
    fuzz::require(found.source.has_value() == (found.reason == grader::Reason::none));
    if (!found.source) return;
    fuzz::require(found.candidates > 0);
    fuzz::require(found.source->bytes.find('\0') == std::string::npos);
    fuzz::require(!submission.language || *submission.language == found.source->language);
    // A tab may turn into spaces; nothing else is added.
    fuzz::require(without_space(found.source->bytes) <= without_space(submission.text));
    if (submission.is_code) fuzz::require(found.source->bytes == submission.text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    grader::Submission submission;
    submission.text = fuzz::text_of(data, size);
    check(submission);
    submission.finish_reason = "length";
    check(submission);
    submission.language = Language::lua;
    check(submission);
    submission.is_code = true;
    check(submission);
    const auto read = grader::read_markdown(submission.text);
    fuzz::require(read.text_begin <= size && read.first_fence <= size);
    return 0;
}

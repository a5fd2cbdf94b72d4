// Fuzz harness of what a submission leaves on its answer pipe, and of the lines of results.jsonl
// that are read back. An answer has one form, sorted names and numbers that agree with themselves.
// Holds no main: libFuzzer brings one, or replay.cpp. Built by tests/fuzz/meson.build.
#include "grader/answer.hpp"
#include "grader/record.hpp"
#include "grader/utf8.hpp"
#include "tests/fuzz/harness.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

void check_number(const grader::AnswerNumber& number) {
    using Kind = grader::AnswerNumber::Kind;
    fuzz::require(number.text.size() <= 80 && !number.text.empty());
    fuzz::require((number.kind == Kind::non_finite) == !std::isfinite(number.value) ||
                  number.kind == Kind::beyond);
    if (number.kind == Kind::whole)
        fuzz::require(static_cast<double>(number.whole) == number.value);
}

void check_answer(const std::string& bytes) {
    using Form = grader::Answer::Form;
    const grader::Answer answer = grader::read_answer(bytes);
    fuzz::require(answer.numbers.empty() || answer.form == Form::numbers);
    fuzz::require(answer.exception.empty() || answer.form == Form::exception);
    fuzz::require(answer.exception.size() <= 4096);
    fuzz::require(!bytes.empty() || answer.form == Form::none);
    for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
        check_number(answer.numbers[i]);
        if (i > 0) fuzz::require(answer.numbers[i - 1].name < answer.numbers[i].name);
    }
    // Whoever appends anything but space to a good record has left more than one.
    if (answer.form == Form::numbers)
        fuzz::require(grader::read_answer(bytes + "x").form != Form::numbers);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes = fuzz::text_of(data, size);
    check_answer(bytes);
    const auto record = grader::decode_record(bytes);
    if (!record) fuzz::require(!record.error().what.empty());
    return 0;
}

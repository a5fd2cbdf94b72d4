// Reads the bytes of an answer pipe: exactly one record, flat, numbers only, nothing behind it.
// Does not know what is expected.
// Called by checkers.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct AnswerNumber {
    enum class Kind : std::uint8_t {
        whole,      // an int64, or a float with an integral value up to 2^53
        beyond,     // a whole number outside 64 bits
        fraction,   // any other float
        non_finite  // the tokens NaN, Infinity, -Infinity
    };
    std::string name;
    Kind kind = Kind::whole;
    std::int64_t whole = 0;  // where kind is whole
    double value = 0;        // in any case, rounded
    std::string text;        // as written, cut to 80 bytes
};

struct Answer {
    enum class Form : std::uint8_t {
        numbers,     // {"answer":{...}}
        exception,   // {"exception":"..."}
        none,        // nothing arrived
        unreadable,  // cut off, not JSON, another shape, a value that is no number, a repeated key
        extra        // a second record, or bytes after the first one
    };
    Form form = Form::none;
    std::vector<AnswerNumber> numbers;  // sorted by name
    std::string exception;              // cut to 4 KiB; hostile text
};

/// Never fails: whatever the bytes are is a value. Linear in their number.
Answer read_answer(std::string_view bytes);

}  // namespace grader

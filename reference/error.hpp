// What a reference function says of an input that it cannot use.
// Does not know of files' contents beyond the place it names.
// Used by everything in reference/ and by its callers.
#pragma once

#include <tl/expected.hpp>

#include <string>

namespace reference {

struct Error {
    enum class Code {
        unreadable,    // not a document of the expected form
        inconsistent,  // workload, architecture and mapping do not belong together
        does_not_fit,  // a tile is larger than its level's capacity
        overflow       // a count exceeds 2^63-1
    };
    Code code{};
    std::string what;  // one line, lower case; "file:line: key: ..." where it comes from a document
};

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace reference

// Reads the members of one closed JSON object and keeps the first mistake.
// Does not know which document it reads.
// Used by protocol.cpp.
#pragma once

#include "grader/error.hpp"
#include "grader/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// Every member has to be asked for once; `finish` refuses any other.
class Fields {
  public:
    explicit Fields(const Json& object) : object_(object) {}

    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
    bool boolean(std::string_view key);
    std::string string(std::string_view key);
    std::string bytes(std::string_view key);  // base64
    const Json* object(std::string_view key);
    const Json::Array* array(std::string_view key);

    void fail(std::string what);
    /// Takes over the mistake of an object inside this one.
    void check(const Fields& inner) {
        if (!inner.finish()) fail(inner.finish().error().what);
    }
    /// Errors: bad_input, naming the first key that was missing, wrong, or not asked for.
    Result<void> finish() const;

  private:
    const Json& object_;
    std::size_t asked_ = 0;
    std::optional<Error> error_;
};

}  // namespace grader

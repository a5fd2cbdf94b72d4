// Strict JSON: one value type, a reader with limits, a writer that always gives the same bytes.
// Does not know what any document means; readers of documents check their own keys.
// Used by submissions, protocol, checkers, case JSON and reports.
#pragma once

#include "grader/error.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace grader {

/// One JSON value. Objects keep the order of their keys, as read or as written by `set`.
class Json {
  public:
    /// A number that is not an int64: a float, an integer beyond 64 bits, or a NaN/Infinity token.
    struct Real {
        double value = 0;
        std::string text;  // as it was written; "" if it was made by us
    };
    struct Member;
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;

    // Implicit on purpose: documents are written as nested braces. Defined out of line, where
    // Member is complete. NOLINTBEGIN(google-explicit-constructor)
    Json();
    Json(std::nullptr_t);
    Json(bool value);
    template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>) Json(T value)
        : Json(Integer{checked(value)}) {}
    Json(double value);
    Json(Real value);
    Json(const char* text);
    Json(std::string_view text);
    Json(std::string text);
    Json(Array items);
    Json(Object members);
    // NOLINTEND(google-explicit-constructor)
    ~Json();
    Json(const Json&);
    Json& operator=(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(Json&&) noexcept;

    /// `Json::object({{"task", id}, {"sample", 0}})`; the keys must differ.
    static Json object(std::initializer_list<Member> members = {});
    static Json array(std::initializer_list<Json> items = {});

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    // A pointer where the value is of that kind, else null. Out of line: inlined, every use of a
    // result that was tested elsewhere draws a warning about a null pointer.
    const bool* boolean() const;
    const std::int64_t* integer() const;
    const Real* real() const;
    const std::string* string() const;
    const Array* array_items() const;
    const Object* members() const;
    std::string* string();
    Array* array_items();
    Object* members();

    /// An integer or a real as a double; none for anything else.
    std::optional<double> number() const;
    /// "an integer", "a string", ...: for messages.
    std::string_view kind() const;

    /// The member of an object; null if there is none or this is no object.
    const Json* find(std::string_view key) const;
    Json* find(std::string_view key);

    /// Sets a member: at its old place, else at the end. A null value becomes an object first.
    Json& set(std::string_view key, Json value);
    /// Appends an item. A null value becomes an array first.
    Json& push(Json value);

    /// Equal values in equal order; reals by value.
    bool operator==(const Json& other) const;

  private:
    template <class T>
    static std::int64_t checked(T value) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) assert_fits(value);
        return static_cast<std::int64_t>(value);
    }
    static void assert_fits(std::uint64_t value);
    struct Integer {
        std::int64_t value;
    };
    explicit Json(Integer number);

    std::variant<std::monostate, bool, std::int64_t, Real, std::string, Array, Object> value_;
};

struct Json::Member {
    std::string key;
    Json value;
};

struct JsonOptions {
    std::size_t max_bytes = std::size_t{64} << 20;
    std::size_t max_values = 2'000'000;
    std::uint32_t depth = 16;  // arrays and objects within each other
    enum class Bad : std::uint8_t { refuse, replace };
    Bad bad_text =
        Bad::refuse;          // invalid UTF-8 and lone surrogates: an error, or U+FFFD and counted
    bool non_finite = false;  // NaN, Infinity and -Infinity are read as a Real of that text
};

struct JsonNotes {
    std::uint64_t replaced_bytes = 0;
    std::uint64_t replaced_surrogates = 0;
};

/// The one value that `text` holds, white space around it allowed. Refused: a second value, a
/// repeated key, a raw NUL, a byte order mark, comments, anything over the limits.
/// Errors: bad_input, with the offset of the byte.
Result<Json> parse_json(std::string_view text, const JsonOptions& options = {},
                        JsonNotes* notes = nullptr);

/// One line without white space. Same value, same bytes; never fails: bytes that are not UTF-8
/// become U+FFFD, non-finite numbers null. A Real made by us is written so that reading gives it
/// back.
std::string dump(const Json& value);

// Members of an object, with their type. Errors: bad_input, naming the key, what is due and what is
// there. `object` that is no object is an error as well.
Result<std::string> get_string(const Json& object, std::string_view key);
Result<bool> get_bool(const Json& object, std::string_view key);
struct IntRange {
    std::int64_t low = INT64_MIN, high = INT64_MAX;
};
Result<std::int64_t> get_int(const Json& object, std::string_view key, IntRange range = {});
Result<double> get_number(const Json& object, std::string_view key);
Result<const Json::Array*> get_array(const Json& object, std::string_view key);
Result<const Json*> get_object(const Json& object, std::string_view key);

/// Closed documents: an error that names the first key which is not in `known`.
Result<void> check_keys(const Json& object, std::span<const std::string_view> known);

/// A value from outside for a message: in quotes, one line, cut to 200 bytes.
std::string quoted(std::string_view text);
// Without these, a std::string argument would find std::quoted.
inline std::string quoted(const std::string& text) {
    return quoted(std::string_view(text));
}
inline std::string quoted(std::string& text) {
    return quoted(std::string_view(text));
}

}  // namespace grader

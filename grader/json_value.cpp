// The value type of json.hpp and its typed getters.
// Does not read or write text.
// See json.hpp.
#include "grader/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace grader {

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool value) : value_(value) {}
Json::Json(Integer number) : value_(number.value) {}
Json::Json(double value) : value_(Real{value, {}}) {}
Json::Json(Real value) : value_(std::move(value)) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Array items) : value_(std::move(items)) {}
Json::Json(Object members) : value_(std::move(members)) {}
Json::~Json() = default;
Json::Json(const Json&) = default;
Json& Json::operator=(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;

Json Json::object(std::initializer_list<Member> members) {
    return Json(Object(members));
}

Json Json::array(std::initializer_list<Json> items) {
    return Json(Array(items));
}

void Json::assert_fits([[maybe_unused]] std::uint64_t value) {
    assert(value <= static_cast<std::uint64_t>(INT64_MAX));
}

const bool* Json::boolean() const {
    return std::get_if<bool>(&value_);
}
const std::int64_t* Json::integer() const {
    return std::get_if<std::int64_t>(&value_);
}
const Json::Real* Json::real() const {
    return std::get_if<Real>(&value_);
}
const std::string* Json::string() const {
    return std::get_if<std::string>(&value_);
}
const Json::Array* Json::array_items() const {
    return std::get_if<Array>(&value_);
}
const Json::Object* Json::members() const {
    return std::get_if<Object>(&value_);
}
std::string* Json::string() {
    return std::get_if<std::string>(&value_);
}
Json::Array* Json::array_items() {
    return std::get_if<Array>(&value_);
}
Json::Object* Json::members() {
    return std::get_if<Object>(&value_);
}

std::optional<double> Json::number() const {
    if (const auto* value = integer()) return static_cast<double>(*value);
    if (const auto* value = real()) return value->value;
    return std::nullopt;
}

std::string_view Json::kind() const {
    if (is_null()) return "null";
    if (boolean()) return "true or false";
    if (integer()) return "an integer";
    if (real()) return "a number that is no 64-bit integer";
    if (string()) return "a string";
    return array_items() ? "an array" : "an object";
}

const Json* Json::find(std::string_view key) const {
    const Object* object = members();
    if (!object) return nullptr;
    const auto found = std::find_if(object->begin(), object->end(),
                                    [&](const Member& member) { return member.key == key; });
    return found == object->end() ? nullptr : &found->value;
}

Json* Json::find(std::string_view key) {
    return const_cast<Json*>(static_cast<const Json*>(this)->find(key));
}

Json& Json::set(std::string_view key, Json value) {
    if (is_null()) value_ = Object{};
    assert(members());
    if (Json* old = find(key)) {
        *old = std::move(value);
        return *this;
    }
    members()->push_back({std::string(key), std::move(value)});
    return *this;
}

Json& Json::push(Json value) {
    if (is_null()) value_ = Array{};
    assert(array_items());
    array_items()->push_back(std::move(value));
    return *this;
}

bool Json::operator==(const Json& other) const {
    if (value_.index() != other.value_.index()) return false;
    if (real()) return real()->value == other.real()->value;
    if (boolean()) return *boolean() == *other.boolean();
    if (integer()) return *integer() == *other.integer();
    if (string()) return *string() == *other.string();
    if (array_items()) return *array_items() == *other.array_items();
    if (is_null()) return true;
    return std::equal(
        members()->begin(), members()->end(), other.members()->begin(), other.members()->end(),
        [](const Member& a, const Member& b) { return a.key == b.key && a.value == b.value; });
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 200;
    // dump() escapes control characters and repairs a character that the cut has split.
    if (text.size() <= kMost) return dump(Json(text));
    return dump(Json(text.substr(0, kMost))) + "...";
}

namespace {

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

Result<const Json*> need(const Json& object, std::string_view key, std::string_view due) {
    if (!object.members()) return wrong(fmt::format("expected an object, found {}", object.kind()));
    const Json* value = object.find(key);
    if (!value) return wrong(fmt::format("key {} is missing ({} is due)", quoted(key), due));
    return value;
}

tl::unexpected<Error> mismatch(std::string_view key, std::string_view due, const Json& found) {
    return wrong(fmt::format("key {}: expected {}, found {}", quoted(key), due, found.kind()));
}

}  // namespace

Result<std::string> get_string(const Json& object, std::string_view key) {
    const auto value = need(object, key, "a string");
    if (!value) return tl::unexpected(value.error());
    if (const auto* text = (*value)->string()) return *text;
    return mismatch(key, "a string", **value);
}

Result<bool> get_bool(const Json& object, std::string_view key) {
    const auto value = need(object, key, "true or false");
    if (!value) return tl::unexpected(value.error());
    if (const auto* flag = (*value)->boolean()) return *flag;
    return mismatch(key, "true or false", **value);
}

Result<std::int64_t> get_int(const Json& object, std::string_view key, IntRange range) {
    const auto value = need(object, key, "an integer");
    if (!value) return tl::unexpected(value.error());
    const auto* number = (*value)->integer();
    if (!number) return mismatch(key, "an integer", **value);
    if (*number < range.low || *number > range.high)
        return wrong(fmt::format("key {}: {} is not within {} to {}", quoted(key), *number,
                                 range.low, range.high));
    return *number;
}

Result<double> get_number(const Json& object, std::string_view key) {
    const auto value = need(object, key, "a number");
    if (!value) return tl::unexpected(value.error());
    if (const auto number = (*value)->number()) return *number;
    return mismatch(key, "a number", **value);
}

Result<const Json::Array*> get_array(const Json& object, std::string_view key) {
    const auto value = need(object, key, "an array");
    if (!value) return tl::unexpected(value.error());
    if (const auto* items = (*value)->array_items()) return items;
    return mismatch(key, "an array", **value);
}

Result<const Json*> get_object(const Json& object, std::string_view key) {
    const auto value = need(object, key, "an object");
    if (!value) return tl::unexpected(value.error());
    if ((*value)->members()) return *value;
    return mismatch(key, "an object", **value);
}

Result<void> check_keys(const Json& object, std::span<const std::string_view> known) {
    if (!object.members()) return wrong(fmt::format("expected an object, found {}", object.kind()));
    for (const Json::Member& member : *object.members())
        if (std::find(known.begin(), known.end(), member.key) == known.end())
            return wrong(fmt::format("unknown key {}", quoted(member.key)));
    return {};
}

}  // namespace grader

// Typed members, first mistake kept.
// Builds no values of ours.
// See fields.hpp.
#include "grader/fields.hpp"

#include "grader/base64.hpp"

#include <fmt/format.h>

#include <utility>

namespace grader {

void Fields::fail(std::string what) {
    if (!error_) error_ = Error{Error::Code::bad_input, std::move(what)};
}

std::int64_t Fields::integer(std::string_view key, std::int64_t low, std::int64_t high) {
    ++asked_;
    auto value = get_int(object_, key, {low, high});
    if (!value) fail(value.error().what);
    return value ? *value : low;
}

bool Fields::boolean(std::string_view key) {
    ++asked_;
    auto value = get_bool(object_, key);
    if (!value) fail(value.error().what);
    return value && *value;
}

std::string Fields::string(std::string_view key) {
    ++asked_;
    auto value = get_string(object_, key);
    if (!value) fail(value.error().what);
    return value ? std::move(*value) : std::string();
}

std::string Fields::bytes(std::string_view key) {
    auto decoded = base64_decode(string(key));
    if (!decoded) fail(fmt::format("{} is not base64", key));
    return decoded ? std::move(*decoded) : std::string();
}

const Json* Fields::object(std::string_view key) {
    ++asked_;
    static const Json kEmpty = Json::object();
    auto value = get_object(object_, key);
    if (!value) fail(value.error().what);
    return value ? *value : &kEmpty;
}

const Json::Array* Fields::array(std::string_view key) {
    ++asked_;
    static const Json::Array kEmpty;
    auto value = get_array(object_, key);
    if (!value) fail(value.error().what);
    return value ? *value : &kEmpty;
}

Result<void> Fields::finish() const {
    if (error_) return tl::unexpected(*error_);
    const Json::Object* members = object_.members();
    if (members == nullptr || members->size() != asked_)
        return tl::unexpected(
            Error{Error::Code::bad_input, "an object with a key that is not known"});
    return {};
}

}  // namespace grader

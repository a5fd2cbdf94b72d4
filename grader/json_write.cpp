// Writes JSON: fixed order, no locale, no white space.
// Does not sort keys: the order is the caller's.
// See json.hpp.
#include "grader/json.hpp"
#include "grader/utf8.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace grader {

namespace {

void write_escape(std::string& out, unsigned char byte) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (byte) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
}

void write_string(std::string& out, std::string_view text) {
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x20 || byte == '"' || byte == '\\') {
            write_escape(out, byte);
            ++at;
            continue;
        }
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            out += kReplacement;
            ++at;
            continue;
        }
        out.append(text, at, length);
        at += length;
    }
    out += '"';
}

template <class T>
std::string_view digits(std::array<char, 40>& buffer, T value) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

void write_real(std::string& out, const Json::Real& real) {
    if (!std::isfinite(real.value)) {
        out += "null";
        return;
    }
    if (!real.text.empty()) {
        out += real.text;
        return;
    }
    std::array<char, 40> buffer{};
    const std::string_view text = digits(buffer, real.value);
    out += text;
    // Without a point or an exponent it would be read back as an integer.
    if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void write(std::string& out, const Json& value);

void write_object(std::string& out, const Json::Object& members) {
    char separator = '{';
    for (const Json::Member& member : members) {
        out += separator;
        write_string(out, member.key);
        out += ':';
        write(out, member.value);
        separator = ',';
    }
    if (members.empty()) out += '{';
    out += '}';
}

void write_array(std::string& out, const Json::Array& items) {
    char separator = '[';
    for (const Json& item : items) {
        out += separator;
        write(out, item);
        separator = ',';
    }
    if (items.empty()) out += '[';
    out += ']';
}

void write(std::string& out, const Json& value) {
    std::array<char, 40> buffer{};
    if (const auto* flag = value.boolean())
        out += *flag ? "true" : "false";
    else if (const auto* number = value.integer())
        out += digits(buffer, *number);
    else if (const auto* real = value.real())
        write_real(out, *real);
    else if (const auto* text = value.string())
        write_string(out, *text);
    else if (const auto* items = value.array_items())
        write_array(out, *items);
    else if (const auto* members = value.members())
        write_object(out, *members);
    else
        out += "null";
}

}  // namespace

std::string dump(const Json& value) {
    std::string out;
    write(out, value);
    return out;
}

}  // namespace grader

// Three bytes, four letters.
// Strict: one text for every string of bytes.
// See base64.hpp.
#include "grader/base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace grader {

namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> make_values() {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kLetters.size(); ++i)
        values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::int8_t>(i);
    return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::uint32_t group =
            byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
        text += kLetters[group >> 18U];
        text += kLetters[group >> 12U & 63U];
        text += at + 1 < bytes.size() ? kLetters[group >> 6U & 63U] : '=';
        text += at + 2 < bytes.size() ? kLetters[group & 63U] : '=';
    }
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        std::uint32_t group = 0;
        for (std::size_t i = at; i < at + 4; ++i) {
            const bool pad = i + padding >= text.size();
            const int value = pad ? 0 : kValues[static_cast<unsigned char>(text[i])];
            if (value < 0) return std::nullopt;
            group = group << 6U | static_cast<std::uint32_t>(value);
        }
        for (const unsigned shift : {16U, 8U, 0U})
            bytes += static_cast<char>(group >> shift & 255U);
    }
    const std::string_view dropped = std::string_view(bytes).substr(bytes.size() - padding);
    if (dropped.find_first_not_of('\0') != std::string_view::npos) return std::nullopt;
    bytes.resize(bytes.size() - padding);
    return bytes;
}

}  // namespace grader

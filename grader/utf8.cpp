// UTF-8 after table 3-7 of the Unicode standard.
// Does not decode.
// See utf8.hpp.
#include "grader/utf8.hpp"

namespace grader {

namespace {

/// What a lead byte asks for: how many bytes, and the range of the second one.
struct Form {
    std::size_t length;
    unsigned char low, high;
};

Form form_of(unsigned char lead) {
    if (lead < 0x80) return {1, 0, 0};
    if (lead < 0xC2) return {0, 0, 0};
    if (lead < 0xE0) return {2, 0x80, 0xBF};
    if (lead == 0xE0) return {3, 0xA0, 0xBF};
    if (lead == 0xED) return {3, 0x80, 0x9F};
    if (lead < 0xF0) return {3, 0x80, 0xBF};
    if (lead == 0xF0) return {4, 0x90, 0xBF};
    if (lead < 0xF4) return {4, 0x80, 0xBF};
    if (lead == 0xF4) return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const Form form = form_of(byte(0));
    if (form.length <= 1) return form.length;
    if (text.size() - at < form.length) return 0;
    if (byte(1) < form.low || byte(1) > form.high) return 0;
    for (std::size_t i = 2; i < form.length; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
    return form.length;
}

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

CleanText replace_invalid_utf8(std::string_view text) {
    CleanText clean;
    clean.text.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            clean.text += kReplacement;
            ++clean.replaced;
            ++at;
            continue;
        }
        clean.text.append(text, at, length);
        at += length;
    }
    return clean;
}

}  // namespace grader

// SHA-256 by libcrypto.
// Nothing else.
// See sha256.hpp.
#include "grader/sha256.hpp"

#include <openssl/sha.h>

#include <array>

namespace grader {

std::string sha256_hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    // The input of the one-shot function is a pointer to unsigned bytes.
    (void)SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    std::string text;
    for (unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

}  // namespace grader

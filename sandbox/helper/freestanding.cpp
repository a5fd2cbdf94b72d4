// What the compiler may call in a program without a C library.
// Nothing else belongs here.
// Linked into init and into the zygote library.
#include <cstddef>

extern "C" {
void* memcpy(void* to, const void* from, std::size_t n) {
    auto* t = static_cast<unsigned char*>(to);
    const auto* f = static_cast<const unsigned char*>(from);
    for (std::size_t i = 0; i < n; ++i) t[i] = f[i];
    return to;
}
void* memset(void* to, int value, std::size_t n) {
    auto* t = static_cast<unsigned char*>(to);
    for (std::size_t i = 0; i < n; ++i) t[i] = static_cast<unsigned char>(value);
    return to;
}
}

// Whether the tests run under the address sanitizer, which makes them ten times slower.
// Does not turn checks off: the long ones take every tenth case then. All of them run without it.
// Used by tests/reference.
#pragma once

namespace tests {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace tests

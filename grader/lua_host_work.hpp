// The work budget of perfjudge-lua: one counter, and what each kind of work costs.
// Does not count by itself: the instruction hook, the allocator, our library and the calls that the
// linker hands to lua_host_charges.cpp spend from it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace grader::lua_work {

// A unit is one instruction of Lua's machine, 2.5 ns where this was measured (2 to 4 by kind). The
// rest are what one loop over the library call cost there, divided by that, rounded to a power of
// two. The budget is 20 ns per unit: a rate that is wrong by less than eight still ends a program
// before its CPU limit.
inline constexpr std::int64_t kHookStep = 1000;   // instructions between two looks at the budget
inline constexpr std::int64_t kCoroutine = 1000;  // its counter starts anew: up to a step is lost
inline constexpr std::int64_t kAllocation = 8;    // an empty table: 26 ns with its collection
inline constexpr std::int64_t kBytesMade = 16;    // bytes per unit: 0.06 ns in s .. t, page faults
inline constexpr std::int64_t kBytesCompared = 32;  // 0.03 ns in s == t, strlen, plain find
inline constexpr std::int64_t kBytesOrdered = 4;    // 0.6 ns in s < t
inline constexpr std::int64_t kBytesRead = 8;       // 0.3 ns of a text that becomes a number
inline constexpr std::int64_t kBytesChanged = 4;    // 0.5 ns in upper, reverse; 1.8 ns in %q
inline constexpr std::int64_t kBytesInSet = 2;      // 1 ns for each byte of [set] looked at
inline constexpr std::int64_t kStep = 2;            // 5 ns for an item tried or a byte taken
inline constexpr std::int64_t kElement = 2;         // 3 to 7 ns per element read, moved or set
inline constexpr std::int64_t kComparison = 4;      // 10 ns in sort
inline constexpr std::int64_t kValues = 2;          // values per unit: 1.1 ns of `...` copied
inline constexpr std::int64_t kByteCompiled = 16;   // 54 ns in load, of which a part is memory
inline constexpr std::int64_t kNumberShown = 64;    // 500 ns for 1/7 as text,
inline constexpr std::int64_t kDigitShown = 8;      // 8,000 ns for the 408 digits of %.99f
inline constexpr std::int64_t kBitsDivided = 4;     // 1,300 ns for 1e308 % 3e-308: 2,047 bits
inline constexpr std::int64_t kHeapCollected = 32;  // bytes: 0.06 ns in a full collection

inline std::int64_t left = INT64_MAX;

/// Ends the program. `missing` is by how much the last work was too much.
[[noreturn]] void used_up(std::int64_t missing);

/// Spends `work`, at least 0, before it is done.
inline void charge(std::int64_t work) {
    if (work > left) used_up(work - left);
    left -= work;
}

/// Spends for `bytes`, the size of a thing in memory, at so many bytes per unit.
inline void charge_bytes(std::size_t bytes, std::int64_t per_unit) {
    charge(static_cast<std::int64_t>(bytes) / per_unit + 1);
}

/// For memory: what is missing counts at the next charge, when the memory has been written. So a
/// block larger than the jail's memory ends by that, and not by the budget.
inline void charge_memory(std::size_t bytes) {
    if (left < 0) used_up(-left);
    left -= kAllocation + static_cast<std::int64_t>(bytes) / kBytesMade;
}

}  // namespace grader::lua_work

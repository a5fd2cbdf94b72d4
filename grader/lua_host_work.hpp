// The work budget of perfjudge-lua: one counter, and what each kind of work costs.
// Does not count by itself: the instruction hook, the allocator, our library and the calls that the
// linker hands to lua_host_charges.cpp spend from it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace grader::lua_work {

// A unit is one instruction of Lua's machine. The budget is 50,000 per millisecond of CPU limit, or
// 20 ns each; an instruction took 2.5 ns where this was measured, so eight times less. Other work
// costs what it took there in units of 8 ns, rounded: a machine that is half as fast still ends it
// by the budget, and what only uses memory comes to the memory limit first.
inline constexpr std::int64_t kHookStep = 1000;   // instructions between two looks at the budget
inline constexpr std::int64_t kCoroutine = 1000;  // its counter starts anew: up to a step is lost
inline constexpr std::int64_t kAllocation = 4;    // an empty table: 26 ns with its collection
inline constexpr std::int64_t kBytesMade = 64;    // bytes per unit: 0.06 ns in s .. t, and pages
inline constexpr std::int64_t kBytesCompared = 128;  // 0.03 ns in s == t, strlen, plain find
inline constexpr std::int64_t kBytesOrdered = 16;    // 0.6 ns in s < t
inline constexpr std::int64_t kBytesRead = 16;       // 0.3 ns of a text that becomes a number
inline constexpr std::int64_t kBytesChanged = 8;     // 0.5 ns in upper, reverse; 1.8 ns in %q
inline constexpr std::int64_t kBytesInSet = 8;       // 1 ns for each byte of [set] looked at
inline constexpr std::int64_t kBytesWalked = 8;      // 1 ns in utf8.len, 1.7 ns in byte
inline constexpr std::int64_t kRepeats = 4;          // 1.6 ns each in rep
inline constexpr std::int64_t kValues = 8;           // values per unit: 1.1 ns of `...` copied
inline constexpr std::int64_t kHeapCollected = 8;    // bytes: 1 ns where all are small tables
inline constexpr std::int64_t kBitsDivided = 16;     // 1,300 ns for 1e308 % 3e-308: 2,047 bits
inline constexpr std::int64_t kStep = 1;             // 5 ns for an item tried or a byte taken
inline constexpr std::int64_t kElement = 1;          // 3 to 7 ns per element read, moved or set
inline constexpr std::int64_t kValueAdded = 2;       // 30 ns per element of table.concat
inline constexpr std::int64_t kNameTried = 8;     // 70 ns per global when an error looks for a name
inline constexpr std::int64_t kComparison = 1;    // 10 ns in sort
inline constexpr std::int64_t kByteCompiled = 8;  // 54 ns in load, of which a part is memory
inline constexpr std::int64_t kNumberShown = 32;  // 500 ns for 1/7 as text,
inline constexpr std::int64_t kDigitShown = 2;    // 8,000 ns for the 408 digits of %.99f
inline constexpr std::size_t kLargestBlock = 1U << 26U;  // what is larger costs no more: see below

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

/// For memory, before it is written. A block that no jail's memory holds must end by the memory
/// limit, and not by a charge for what was never written.
inline void charge_memory(std::size_t bytes) {
    const std::size_t counted = bytes < kLargestBlock ? bytes : kLargestBlock;
    charge(kAllocation + static_cast<std::int64_t>(counted) / kBytesMade);
}

}  // namespace grader::lua_work

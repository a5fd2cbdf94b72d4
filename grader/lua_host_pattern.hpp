// Lua patterns: one matcher that behaves like liblua's and charges each step to the work budget.
// Does not know find, gsub or gmatch: lua_host_strings.cpp holds those.
// Used by lua_host_strings.cpp.
#pragma once

#include <cstddef>

struct lua_State;

namespace grader {

struct LuaText {
    const char* data = nullptr;
    std::size_t size = 0;
};

/// Holds pointers into a subject and a pattern, both zero-terminated as every Lua string is, and
/// trivially destructible: Lua's errors jump over it.
class LuaMatcher {
  public:
    LuaMatcher(LuaText subject, LuaText pattern);

    /// Matches the whole pattern at `at`. Returns the end of the match, or null. Errors are Lua's.
    const char* match_at(lua_State* lua, const char* at);

    /// Pushes capture `index`; where the pattern has none, 0 is the whole match [begin, end).
    void push_capture(int index, const char* begin, const char* end);
    /// Pushes all captures, or the whole match if there are none and `begin` is not null.
    int push_captures(const char* begin, const char* end);

    [[nodiscard]] const char* begin() const { return begin_; }
    [[nodiscard]] const char* end() const { return end_; }

  private:
    static constexpr std::ptrdiff_t kOpen = -1, kPosition = -2;
    static constexpr int kMaxCaptures = 32, kMaxDepth = 200;
    struct Capture {
        const char* begin;
        std::ptrdiff_t size;  // or kOpen, kPosition
    };
    /// What an item that is not repeated leads to: go on at `at` and `pattern`, or stop with `at`.
    struct Next {
        const char* at;
        const char* pattern;  // null: stop
    };

    const char* match(const char* at, const char* pattern);
    Next step(const char* at, const char* pattern);
    Next escape(const char* at, const char* pattern);
    Next item(const char* at, const char* pattern);
    Next frontier(const char* at, const char* pattern);
    const char* item_end(const char* pattern);
    bool matches_one(const char* at, const char* pattern, const char* item_end);
    const char* expand_most(const char* at, const char* pattern, const char* item_end);
    const char* expand_least(const char* at, const char* pattern, const char* item_end);
    const char* balance(const char* at, const char* pattern);
    const char* open_capture(const char* at, const char* pattern, std::ptrdiff_t size);
    const char* close_capture(const char* at, const char* pattern);
    const char* back_reference(const char* at, char digit);

    const char* begin_;
    const char* end_;
    const char* pattern_;
    const char* pattern_end_;
    lua_State* lua_ = nullptr;
    int depth_ = 0;
    int level_ = 0;
    Capture captures_[kMaxCaptures];
};

}  // namespace grader

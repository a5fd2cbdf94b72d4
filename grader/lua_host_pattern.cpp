// The matcher of Lua patterns: backtracking with at most 200 levels, as the manual of Lua 5.4 and
// liblua have it, error by error. Does not allocate; what it pushes is charged by the allocator.
// Called by lua_host_strings.cpp.
#include "grader/lua_host_pattern.hpp"

#include "grader/lua_host_work.hpp"

#include <lua.hpp>

#include <cctype>
#include <cstdint>
#include <cstring>

namespace grader {

namespace {

constexpr char kEscape = '%';

unsigned char byte_of(const char* at) {
    return static_cast<unsigned char>(*at);
}

bool in_class(int c, int name) {
    bool found = false;
    switch (std::tolower(name)) {
        case 'a':
            found = std::isalpha(c) != 0;
            break;
        case 'c':
            found = std::iscntrl(c) != 0;
            break;
        case 'd':
            found = std::isdigit(c) != 0;
            break;
        case 'g':
            found = std::isgraph(c) != 0;
            break;
        case 'l':
            found = std::islower(c) != 0;
            break;
        case 'p':
            found = std::ispunct(c) != 0;
            break;
        case 's':
            found = std::isspace(c) != 0;
            break;
        case 'u':
            found = std::isupper(c) != 0;
            break;
        case 'w':
            found = std::isalnum(c) != 0;
            break;
        case 'x':
            found = std::isxdigit(c) != 0;
            break;
        case 'z':  // deprecated in the manual, kept by liblua
            found = c == 0;
            break;
        default:
            return name == c;
    }
    return (std::islower(name) != 0) == found;
}

/// `set` is at the opening bracket, `last` at the closing one.
bool in_set(int c, const char* set, const char* last) {
    const bool plain = set[1] != '^';
    const char* at = plain ? set : set + 1;
    bool found = false;
    while (!found && ++at < last) {
        if (*at == kEscape) {
            ++at;
            found = in_class(c, byte_of(at));
        } else if (at[1] == '-' && at + 2 < last) {
            at += 2;
            found = byte_of(at - 2) <= c && c <= byte_of(at);
        } else {
            found = byte_of(at) == c;
        }
    }
    lua_work::charge_bytes(static_cast<std::size_t>(at - set), lua_work::kBytesInSet);
    return found == plain;
}

}  // namespace

LuaMatcher::LuaMatcher(LuaText subject, LuaText pattern)
    : begin_(subject.data),
      end_(subject.data + subject.size),
      pattern_(pattern.data),
      pattern_end_(pattern.data + pattern.size) {}

const char* LuaMatcher::match_at(lua_State* lua, const char* at) {
    lua_ = lua;
    depth_ = kMaxDepth;
    level_ = 0;
    return match(at, pattern_);
}

const char* LuaMatcher::match(const char* at, const char* pattern) {
    if (depth_-- == 0) luaL_error(lua_, "pattern too complex");
    while (pattern != pattern_end_) {
        lua_work::charge(lua_work::kStep);
        const Next next = step(at, pattern);
        at = next.at;
        if (next.pattern == nullptr) break;
        pattern = next.pattern;
    }
    ++depth_;
    return at;
}

LuaMatcher::Next LuaMatcher::step(const char* at, const char* pattern) {
    switch (*pattern) {
        case '(':
            if (pattern[1] == ')') return {open_capture(at, pattern + 2, kPosition), nullptr};
            return {open_capture(at, pattern + 1, kOpen), nullptr};
        case ')':
            return {close_capture(at, pattern + 1), nullptr};
        case '$':
            if (pattern + 1 != pattern_end_) return item(at, pattern);
            return {at == end_ ? at : nullptr, nullptr};
        case kEscape:
            return escape(at, pattern);
        default:
            return item(at, pattern);
    }
}

LuaMatcher::Next LuaMatcher::escape(const char* at, const char* pattern) {
    const char kind = pattern[1];
    if (kind == 'f') return frontier(at, pattern + 2);
    if (kind == 'b') {
        at = balance(at, pattern + 2);
        return {at, at != nullptr ? pattern + 4 : nullptr};
    }
    if (std::isdigit(byte_of(pattern + 1)) == 0) return item(at, pattern);
    at = back_reference(at, kind);
    return {at, at != nullptr ? pattern + 2 : nullptr};
}

LuaMatcher::Next LuaMatcher::frontier(const char* at, const char* pattern) {
    if (*pattern != '[') luaL_error(lua_, "missing '[' after '%%f' in pattern");
    const char* after = item_end(pattern);
    const int before = at == begin_ ? 0 : byte_of(at - 1);
    if (!in_set(before, pattern, after - 1) && in_set(byte_of(at), pattern, after - 1))
        return {at, after};
    return {nullptr, nullptr};
}

/// A class with what may follow it: *, +, -, ?
LuaMatcher::Next LuaMatcher::item(const char* at, const char* pattern) {
    const char* after = item_end(pattern);
    const char repeat = *after;
    if (!matches_one(at, pattern, after)) {
        if (repeat == '*' || repeat == '?' || repeat == '-') return {at, after + 1};
        return {nullptr, nullptr};
    }
    switch (repeat) {
        case '?':
            if (const char* found = match(at + 1, after + 1)) return {found, nullptr};
            return {at, after + 1};
        case '+':
            return {expand_most(at + 1, pattern, after), nullptr};
        case '*':
            return {expand_most(at, pattern, after), nullptr};
        case '-':
            return {expand_least(at, pattern, after), nullptr};
        default:
            return {at + 1, after};
    }
}

const char* LuaMatcher::item_end(const char* pattern) {
    const char* at = pattern;
    switch (*at++) {
        case kEscape:
            if (at == pattern_end_) luaL_error(lua_, "malformed pattern (ends with '%%')");
            return at + 1;
        case '[':
            if (*at == '^') ++at;
            do {  // the first byte of a set may be its closing bracket
                if (at == pattern_end_) luaL_error(lua_, "malformed pattern (missing ']')");
                if (*at++ == kEscape && at < pattern_end_) ++at;
            } while (*at != ']');
            lua_work::charge_bytes(static_cast<std::size_t>(at - pattern), lua_work::kBytesInSet);
            return at + 1;
        default:
            return at;
    }
}

bool LuaMatcher::matches_one(const char* at, const char* pattern, const char* item_end) {
    if (at >= end_) return false;
    const int c = byte_of(at);
    switch (*pattern) {
        case '.':
            return true;
        case kEscape:
            return in_class(c, byte_of(pattern + 1));
        case '[':
            return in_set(c, pattern, item_end - 1);
        default:
            return byte_of(pattern) == c;
    }
}

const char* LuaMatcher::expand_most(const char* at, const char* pattern, const char* item_end) {
    std::ptrdiff_t count = 0;
    while (matches_one(at + count, pattern, item_end)) ++count;
    lua_work::charge(count * lua_work::kStep);
    for (; count >= 0; --count)
        if (const char* found = match(at + count, item_end + 1)) return found;
    return nullptr;
}

const char* LuaMatcher::expand_least(const char* at, const char* pattern, const char* item_end) {
    for (;; ++at) {
        if (const char* found = match(at, item_end + 1)) return found;
        if (!matches_one(at, pattern, item_end)) return nullptr;
        lua_work::charge(lua_work::kStep);
    }
}

const char* LuaMatcher::balance(const char* at, const char* pattern) {
    if (pattern >= pattern_end_ - 1)
        luaL_error(lua_, "malformed pattern (missing arguments to '%%b')");
    if (*at != *pattern) return nullptr;
    const char* from = at;
    const char* found = nullptr;
    std::size_t open = 1;
    while (found == nullptr && ++at < end_) {
        if (*at == pattern[1]) {
            if (--open == 0) found = at + 1;
        } else if (*at == *pattern) {
            ++open;
        }
    }
    lua_work::charge_bytes(static_cast<std::size_t>(at - from), lua_work::kBytesWalked);
    return found;
}

const char* LuaMatcher::open_capture(const char* at, const char* pattern, std::ptrdiff_t size) {
    if (level_ >= kMaxCaptures) luaL_error(lua_, "too many captures");
    captures_[level_++] = {at, size};
    const char* found = match(at, pattern);
    if (found == nullptr) --level_;
    return found;
}

const char* LuaMatcher::close_capture(const char* at, const char* pattern) {
    int index = level_ - 1;
    while (index >= 0 && captures_[index].size != kOpen) --index;
    if (index < 0) luaL_error(lua_, "invalid pattern capture");
    Capture& capture = captures_[index];
    capture.size = at - capture.begin;
    const char* found = match(at, pattern);
    if (found == nullptr) capture.size = kOpen;
    return found;
}

const char* LuaMatcher::back_reference(const char* at, char digit) {
    const int index = digit - '1';
    if (index < 0 || index >= level_ || captures_[index].size == kOpen)
        luaL_error(lua_, "invalid capture index %%%d", index + 1);
    const Capture& capture = captures_[index];
    if (capture.size == kPosition || end_ - at < capture.size) return nullptr;
    const auto size = static_cast<std::size_t>(capture.size);
    lua_work::charge_bytes(size, lua_work::kBytesCompared);
    return std::memcmp(capture.begin, at, size) == 0 ? at + size : nullptr;
}

void LuaMatcher::push_capture(int index, const char* begin, const char* end) {
    if (index >= level_) {
        if (index != 0) luaL_error(lua_, "invalid capture index %%%d", index + 1);
        lua_pushlstring(lua_, begin, static_cast<std::size_t>(end - begin));
        return;
    }
    const Capture& capture = captures_[index];
    if (capture.size == kOpen) luaL_error(lua_, "unfinished capture");
    if (capture.size == kPosition)
        lua_pushinteger(lua_, capture.begin - begin_ + 1);
    else
        lua_pushlstring(lua_, capture.begin, static_cast<std::size_t>(capture.size));
}

int LuaMatcher::push_captures(const char* begin, const char* end) {
    const int count = level_ == 0 && begin != nullptr ? 1 : level_;
    luaL_checkstack(lua_, count, "too many captures");
    for (int i = 0; i < count; ++i) push_capture(i, begin, end);
    return count;
}

}  // namespace grader

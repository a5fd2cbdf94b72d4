// find, match, gmatch and gsub over our matcher, with the manual's arguments and liblua's messages.
// Does not match by itself. Plain searches are charged by the bytes that they compare.
// Called through lua_host_library.cpp.
#include "grader/lua_host_library.hpp"
#include "grader/lua_host_pattern.hpp"
#include "grader/lua_host_work.hpp"

#include <lua.hpp>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace grader {

namespace {

constexpr char kEscape = '%';
static_assert(std::is_trivially_destructible_v<LuaMatcher>);

LuaText check_text(lua_State* lua, int index) {
    LuaText text;
    text.data = luaL_checklstring(lua, index, &text.size);
    return text;
}

/// The index from 0 that argument `index`, or 1, names; it may lie behind the end.
std::size_t start_of(lua_State* lua, int index, std::size_t size) {
    const lua_Integer at = luaL_optinteger(lua, index, 1);
    if (at > 0) return static_cast<std::size_t>(at) - 1;
    if (at == 0 || at < -static_cast<lua_Integer>(size)) return 0;
    return size - static_cast<std::size_t>(-at);
}

bool take_anchor(LuaText* pattern) {
    if (pattern->size == 0 || *pattern->data != '^') return false;
    ++pattern->data;
    --pattern->size;
    return true;
}

bool is_plain(LuaText pattern) {
    lua_work::charge_bytes(pattern.size, lua_work::kBytesCompared);
    for (std::size_t i = 0; i < pattern.size; ++i)
        if (pattern.data[i] != '\0' && std::strchr("^$*+?.([%-", pattern.data[i]) != nullptr)
            return false;
    return true;
}

/// The first place of `wanted` in [at, end), or null.
const char* find_plain(const char* at, const char* end, LuaText wanted) {
    if (wanted.size == 0) return at;
    while (static_cast<std::size_t>(end - at) >= wanted.size) {
        const std::size_t room = static_cast<std::size_t>(end - at) - wanted.size + 1;
        const auto* first = static_cast<const char*>(std::memchr(at, *wanted.data, room));
        const std::size_t seen = first != nullptr ? static_cast<std::size_t>(first - at) : room;
        lua_work::charge_bytes(seen + wanted.size, lua_work::kBytesCompared);
        if (first == nullptr) return nullptr;
        if (std::memcmp(first, wanted.data, wanted.size) == 0) return first;
        at = first + 1;
    }
    return nullptr;
}

int push_range(lua_State* lua, LuaText subject, const char* begin, const char* end) {
    lua_pushinteger(lua, begin - subject.data + 1);
    lua_pushinteger(lua, end - subject.data);
    return 2;
}

int push_fail(lua_State* lua) {
    lua_pushnil(lua);
    return 1;
}

int search(lua_State* lua, bool find) {
    const LuaText subject = check_text(lua, 1);
    LuaText pattern = check_text(lua, 2);
    const std::size_t start = start_of(lua, 3, subject.size);
    if (start > subject.size) return push_fail(lua);
    const char* at = subject.data + start;
    if (find && (lua_toboolean(lua, 4) != 0 || is_plain(pattern))) {
        const char* found = find_plain(at, subject.data + subject.size, pattern);
        if (found == nullptr) return push_fail(lua);
        return push_range(lua, subject, found, found + pattern.size);
    }
    const bool anchored = take_anchor(&pattern);
    LuaMatcher matcher(subject, pattern);
    do {
        lua_work::charge(lua_work::kStep);
        const char* end = matcher.match_at(lua, at);
        if (end == nullptr) continue;
        if (!find) return matcher.push_captures(at, end);
        return push_range(lua, subject, at, end) + matcher.push_captures(nullptr, nullptr);
    } while (at++ < matcher.end() && !anchored);
    return push_fail(lua);
}

// --- gmatch: its state is a userdata that only its iterator holds ---

struct Gmatch {
    const char* at;
    const char* last;  // where the match before ended: no empty match there
    LuaMatcher matcher;
};
static_assert(std::is_trivially_destructible_v<Gmatch>);

int gmatch_next(lua_State* lua) {
    auto* state = static_cast<Gmatch*>(lua_touserdata(lua, lua_upvalueindex(3)));
    for (const char* at = state->at; at <= state->matcher.end(); ++at) {
        lua_work::charge(lua_work::kStep);
        const char* end = state->matcher.match_at(lua, at);
        if (end == nullptr || end == state->last) continue;
        state->at = state->last = end;
        return state->matcher.push_captures(at, end);
    }
    return 0;
}

// --- gsub ---

struct Match {
    const char* begin;
    const char* end;
};

void add_range(luaL_Buffer* out, const char* begin, const char* end) {
    luaL_addlstring(out, begin, static_cast<std::size_t>(end - begin));
}

/// The replacement string with its %0 to %9 filled in.
void add_template(lua_State* lua, LuaMatcher* matcher, luaL_Buffer* out, Match match) {
    LuaText text;
    text.data = lua_tolstring(lua, 3, &text.size);
    lua_work::charge_bytes(text.size, lua_work::kBytesChanged);
    const char* at = text.data;
    const char* end = at + text.size;
    for (;;) {
        const auto* escape =
            static_cast<const char*>(std::memchr(at, kEscape, static_cast<std::size_t>(end - at)));
        if (escape == nullptr) break;
        add_range(out, at, escape);
        const char kind = escape[1];
        if (kind == kEscape) {
            luaL_addchar(out, kind);
        } else if (kind == '0') {
            add_range(out, match.begin, match.end);
        } else if (std::isdigit(static_cast<unsigned char>(kind)) != 0) {
            matcher->push_capture(kind - '1', match.begin, match.end);
            luaL_addvalue(out);
        } else {
            luaL_error(lua, "invalid use of '%c' in replacement string", kEscape);
        }
        at = escape + 2;
    }
    add_range(out, at, end);
}

/// Adds what replaces one match. Returns whether that is not the match itself.
bool add_replacement(lua_State* lua, LuaMatcher* matcher, luaL_Buffer* out, Match match) {
    switch (lua_type(lua, 3)) {
        case LUA_TFUNCTION:
            lua_pushvalue(lua, 3);
            lua_call(lua, matcher->push_captures(match.begin, match.end), 1);
            break;
        case LUA_TTABLE:
            matcher->push_capture(0, match.begin, match.end);
            (void)lua_gettable(lua, 3);
            break;
        default:
            add_template(lua, matcher, out, match);
            return true;
    }
    if (lua_toboolean(lua, -1) == 0) {
        lua_pop(lua, 1);
        add_range(out, match.begin, match.end);
        return false;
    }
    if (lua_isstring(lua, -1) == 0)
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    luaL_addvalue(out);
    return true;
}

void check_replacement(lua_State* lua) {
    const int type = lua_type(lua, 3);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE)
        luaL_typeerror(lua, 3, "string/function/table");
}

}  // namespace

namespace lua_library {

int find(lua_State* lua) {
    return search(lua, true);
}

int match(lua_State* lua) {
    return search(lua, false);
}

int gmatch(lua_State* lua) {
    const LuaText subject = check_text(lua, 1);
    const LuaText pattern = check_text(lua, 2);
    const std::size_t start = start_of(lua, 3, subject.size);
    lua_settop(lua, 2);
    auto* state = static_cast<Gmatch*>(lua_newuserdatauv(lua, sizeof(Gmatch), 0));
    const char* at = subject.data + (start <= subject.size ? start : subject.size + 1);
    new (state) Gmatch{at, nullptr, LuaMatcher(subject, pattern)};
    lua_pushcclosure(lua, gmatch_next, 3);
    return 1;
}

int gsub(lua_State* lua) {
    const LuaText subject = check_text(lua, 1);
    LuaText pattern = check_text(lua, 2);
    const lua_Integer most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(subject.size) + 1);
    const bool anchored = take_anchor(&pattern);
    check_replacement(lua);
    LuaMatcher matcher(subject, pattern);
    luaL_Buffer out;
    luaL_buffinit(lua, &out);
    const char* at = subject.data;
    const char* last = nullptr;
    lua_Integer count = 0;
    bool changed = false;
    while (count < most) {
        lua_work::charge(lua_work::kStep);
        const char* end = matcher.match_at(lua, at);
        if (end != nullptr && end != last) {
            ++count;
            changed = add_replacement(lua, &matcher, &out, {at, end}) || changed;
            at = last = end;
        } else if (at < matcher.end()) {
            luaL_addchar(&out, *at++);
        } else {
            break;
        }
        if (anchored) break;
    }
    if (changed) {
        add_range(&out, at, matcher.end());
        luaL_pushresult(&out);
    } else {
        lua_pushvalue(lua, 1);
    }
    lua_pushinteger(lua, count);
    return 2;
}

}  // namespace lua_library

}  // namespace grader

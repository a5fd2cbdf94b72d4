// Which library functions charge the work budget, and how much. Most are liblua's own behind a
// charge: they run in the same frame, so that every message stays as it was. Does not charge what
// is charged below: memory by the allocator, elements and bytes by lua_host_charges.cpp.
// Called by lua_host.cpp.
#include "grader/lua_host_library.hpp"

#include "grader/lua_host_work.hpp"

#include <lua.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace grader::lua_library {

namespace {

/// liblua's own function is the first upvalue.
int call_original(lua_State* lua) {
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

std::size_t string_size(lua_State* lua, int index) {
    return lua_type(lua, index) == LUA_TSTRING ? lua_rawlen(lua, index) : 0;
}

/// All strings among the arguments: upper, lower, reverse, format, pack, print.
int by_strings(lua_State* lua) {
    std::size_t bytes = 0;
    for (int i = lua_gettop(lua); i > 0; --i) bytes += string_size(lua, i);
    lua_work::charge_bytes(bytes, lua_work::kBytesChanged);
    return call_original(lua);
}

/// Only the first string: tonumber, unpack, packsize.
int by_first(lua_State* lua) {
    lua_work::charge_bytes(string_size(lua, 1), lua_work::kBytesChanged);
    return call_original(lua);
}

int by_arguments(lua_State* lua) {
    lua_work::charge(lua_gettop(lua) / lua_work::kValues);
    return call_original(lua);
}

/// Counts repeats: those of an empty string make no bytes, and any number of them is accepted. Of
/// others there are no more than bytes; a result that is too large ends by the memory limit.
int rep(lua_State* lua) {
    const auto repeats = std::max<lua_Integer>(0, lua_tointeger(lua, 2));
    std::size_t size = 0;
    for (const int part : {1, 3})
        if (!lua_isnoneornil(lua, part)) size += lua_isnumber(lua, part) + string_size(lua, part);
    if (size == 0) lua_work::charge(repeats / lua_work::kRepeats);
    const int count = call_original(lua);
    if (size != 0) lua_work::charge(repeats / lua_work::kRepeats);
    return count;
}

/// An index from 1 to size + 1, or 0, as negative ones count from the end.
std::size_t place(lua_State* lua, int index, lua_Integer fallback, std::size_t size) {
    lua_Integer at = lua_isnoneornil(lua, index) ? fallback : lua_tointeger(lua, index);
    const auto signed_size = static_cast<lua_Integer>(size);
    if (at < 0) at = at < -signed_size ? 0 : signed_size + at + 1;
    return static_cast<std::size_t>(std::min(at, signed_size + 1));
}

void charge_range(lua_State* lua, lua_Integer last) {
    const std::size_t size = string_size(lua, 1);
    const std::size_t from = place(lua, 2, 1, size);
    const std::size_t to = place(lua, 3, last, size);
    if (from <= to) lua_work::charge_bytes(to - from + 1, lua_work::kBytesWalked);
}

/// byte, utf8.codepoint: arguments 2 and 3 are a range of which the second is the first by default.
int by_short_range(lua_State* lua) {
    const lua_Integer first = lua_isnoneornil(lua, 2) ? 1 : lua_tointeger(lua, 2);
    charge_range(lua, first);
    return call_original(lua);
}

/// utf8.len: all of it by default.
int by_long_range(lua_State* lua) {
    charge_range(lua, -1);
    return call_original(lua);
}

/// utf8.offset: what it walked over is known afterwards.
int offset(lua_State* lua) {
    const std::size_t size = string_size(lua, 1);
    const std::size_t start = place(lua, 3, lua_tointeger(lua, 2) > 0 ? 1 : -1, size);
    const int count = call_original(lua);
    const bool found = lua_isinteger(lua, -1) != 0;
    const auto end = found ? static_cast<std::size_t>(lua_tointeger(lua, -1)) : size;
    const std::size_t walked = found ? std::max(start, end) - std::min(start, end) : size;
    lua_work::charge_bytes(walked, lua_work::kBytesWalked);
    return count;
}

/// One step of utf8.codes, which skips continuation bytes however many there are.
int next_code(lua_State* lua) {
    const std::size_t size = string_size(lua, 1);
    const lua_Integer after = lua_tointeger(lua, 2);
    const char* text = size > 0 ? lua_tostring(lua, 1) : "";
    auto at = static_cast<std::size_t>(std::max<lua_Integer>(0, after));
    const std::size_t from = at;
    while (at < size && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) ++at;
    lua_work::charge_bytes(at - from, lua_work::kBytesWalked);
    return call_original(lua);
}

int codes(lua_State* lua) {
    const int count = call_original(lua);  // iterator, string, 0
    lua_pushvalue(lua, -count);
    lua_pushcclosure(lua, next_code, 1);
    lua_replace(lua, -count - 1);
    return count;
}

/// Each coroutine counts its instructions from 0, so a short one might never be asked to pay.
int new_coroutine(lua_State* lua) {
    lua_work::charge(lua_work::kCoroutine);
    return call_original(lua);
}

/// As liblua's, but a finaliser is never noted, so none ever runs: Lua would run it without the
/// instruction hook, at a moment that the collector chooses.
int set_metatable(lua_State* lua) {
    const int type = lua_type(lua, 2);
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (type != LUA_TNIL && type != LUA_TTABLE) luaL_typeerror(lua, 2, "nil or table");
    if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
        return luaL_error(lua, "cannot change a protected metatable");
    lua_settop(lua, 2);
    if (type == LUA_TNIL) {
        lua_setmetatable(lua, 1);
        return 1;
    }
    lua_pushliteral(lua, "__gc");
    lua_pushvalue(lua, -1);
    lua_rawget(lua, 2);  // 3: the name, 4: the finaliser
    lua_pushvalue(lua, 2);
    if (lua_isnil(lua, 4)) {
        lua_setmetatable(lua, 1);
    } else {
        lua_pushvalue(lua, 3);
        lua_pushnil(lua);
        lua_rawset(lua, 2);
        lua_setmetatable(lua, 1);
        lua_pushvalue(lua, 3);
        lua_pushvalue(lua, 4);
        lua_rawset(lua, 2);
    }
    lua_settop(lua, 1);
    return 1;
}

/// A collection costs what the heap holds. How the collector works is not for the submission to
/// choose: it could make every allocation a full collection.
int collect_garbage(lua_State* lua) {
    constexpr const char* kOptions[] = {"collect",      "step",        "stop",     "restart",
                                        "count",        "isrunning",   "setpause", "setstepmul",
                                        "generational", "incremental", nullptr};
    const int option = luaL_checkoption(lua, 1, "collect", kOptions);
    if (option <= 1) {
        const std::int64_t kilobytes = lua_gc(lua, LUA_GCCOUNT);
        lua_work::charge(kilobytes * 1024 / lua_work::kHeapCollected);
    }
    if (option <= 5) return call_original(lua);
    if (option == 6)
        lua_pushinteger(lua, 200);
    else if (option == 7)
        lua_pushinteger(lua, 100);
    else
        lua_pushliteral(lua, "incremental");
    return 1;
}

struct Replacement {
    const char* library;
    const char* name;
    lua_CFunction ours;
};

constexpr Replacement kReplacements[] = {
    {LUA_GNAME, "collectgarbage", collect_garbage},
    {LUA_GNAME, "print", by_strings},
    {LUA_GNAME, "select", by_arguments},
    {LUA_GNAME, "setmetatable", set_metatable},
    {LUA_GNAME, "tonumber", by_first},
    {LUA_COLIBNAME, "create", new_coroutine},
    {LUA_COLIBNAME, "wrap", new_coroutine},
    {LUA_STRLIBNAME, "byte", by_short_range},
    {LUA_STRLIBNAME, "char", by_arguments},
    {LUA_STRLIBNAME, "find", find},
    {LUA_STRLIBNAME, "format", by_strings},
    {LUA_STRLIBNAME, "gmatch", gmatch},
    {LUA_STRLIBNAME, "gsub", gsub},
    {LUA_STRLIBNAME, "lower", by_strings},
    {LUA_STRLIBNAME, "match", match},
    {LUA_STRLIBNAME, "pack", by_strings},
    {LUA_STRLIBNAME, "packsize", by_first},
    {LUA_STRLIBNAME, "rep", rep},
    {LUA_STRLIBNAME, "reverse", by_strings},
    {LUA_STRLIBNAME, "unpack", by_first},
    {LUA_STRLIBNAME, "upper", by_strings},
    {LUA_UTF8LIBNAME, "char", by_arguments},
    {LUA_UTF8LIBNAME, "codepoint", by_short_range},
    {LUA_UTF8LIBNAME, "codes", codes},
    {LUA_UTF8LIBNAME, "len", by_long_range},
    {LUA_UTF8LIBNAME, "offset", offset},
};

}  // namespace

void install(lua_State* lua) {
    lua_pushglobaltable(lua);
    for (const Replacement& row : kReplacements) {
        lua_getfield(lua, -1, row.library);  // _G has itself as a field
        lua_getfield(lua, -1, row.name);
        lua_pushcclosure(lua, row.ours, 1);
        lua_setfield(lua, -2, row.name);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

}  // namespace grader::lua_library
